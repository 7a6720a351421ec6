import { expect, test } from 'vitest';

import { runScript } from '../../test/conformance/sandbox.js';
import { silentLogger } from '../core/index.js';
import { createSandbox } from './sandbox.js';
import { tooMuch, UsageWatch } from './usage-watch.js';

test('the script with the most memory is stopped when all together need too much', () => {
  const uses = [
    { one: 'small', rssBytes: 100 },
    { one: 'large', rssBytes: 300 },
    { one: 'middle', rssBytes: 200 },
  ];

  expect([tooMuch(uses, 600), tooMuch(uses, 599), tooMuch([], 0)]).toEqual([
    undefined,
    'large',
    undefined,
  ]);
});

test.runIf(UsageWatch.isPossible)(
  'script that takes all scripts over the limit ends with words that name it',
  async () => {
    await using sandbox = createSandbox({ log: silentLogger, allMemoryBytes: 1 });

    const end = await runScript(sandbox, 'for (;;);', {
      limits: { cpuMs: 60_000, wallMs: 60_000 },
    });

    expect(end).toMatchObject({ status: 'stopped', limit: 'memory' });
    expect(JSON.stringify(end)).toContain('code.allMemoryBytes');
  },
);
