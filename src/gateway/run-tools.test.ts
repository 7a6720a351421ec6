import { expect, test } from 'vitest';

import { runGateway } from '../../test/helpers/run-gateway.js';
import { runId, type ToolId } from '../core/index.js';
import type { RunTrace } from '../executor/index.js';
import { runCaller, withoutBuiltIns } from './run-tools.js';

const call = (tool: string) => ({ tool: tool as ToolId, ok: true });
const trace = (...tools: string[]): RunTrace => ({
  run: runId('run_1'),
  ok: true,
  ms: 1,
  decisions: [],
  calls: tools.map(call),
  bindings: [],
});

test('reading kept results leaves no trace, and what was beside it keeps its bindings', () => {
  const mixed = {
    ...trace('a:x', 'pml:read_result', 'a:y'),
    bindings: [
      { from: 0, to: 2 },
      { from: 1, to: 2 },
    ],
  };

  expect(withoutBuiltIns(trace('pml:read_result'))).toBeUndefined();
  expect(withoutBuiltIns(mixed)).toMatchObject({
    calls: [call('a:x'), call('a:y')],
    bindings: [{ from: 0, to: 1 }],
  });
});

test('a run in which nothing was called is remembered for what was decided', () => {
  expect(withoutBuiltIns(trace())).toEqual(trace());
});

test('a tool that is gone since the plan was made is told so', async () => {
  const { gateway } = await runGateway();
  const { signal } = new AbortController();
  const caller = runCaller(gateway, runId('run_1'));

  await expect(caller.call('fake:gone' as ToolId, {}, { signal })).rejects.toMatchObject({
    code: 'TOOL_UNKNOWN',
  });
  await expect(caller.call('pml:gone' as ToolId, {}, { signal })).rejects.toMatchObject({
    code: 'TOOL_UNKNOWN',
  });
});

test('a kept result is read without any server', async () => {
  const { gateway } = await runGateway();
  const handle = gateway.kept.keep({ text: 'a long text', mimeType: 'text/plain' });
  const { signal } = new AbortController();

  const page = await runCaller(gateway, runId('run_1')).call(
    'pml:read_result' as ToolId,
    { handle, offset: 2, limit: 4 },
    { signal },
  );

  expect(page.content[0]?.['text']).toMatch(/^long\n/);
});
