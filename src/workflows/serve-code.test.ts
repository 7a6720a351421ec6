import { expect, test, vi } from 'vitest';

import { fakeClient } from '../../test/helpers/fake-client.js';
import { runWorkflows } from '../../test/helpers/run-workflows.js';
import { serveCode } from './serve-code.js';

test('code that was checked for a request begins without being parsed again', async () => {
  const { workflows } = await runWorkflows();
  const begin = vi.spyOn(workflows.runs, 'begin');

  await serveCode(workflows, { code: 'const n: number = 1; n' }, fakeClient('a').context, {
    isReadOnly: false,
  });

  expect(begin.mock.calls[0]?.[0].ready?.source).toBe('const n         = 1; return n');
});
