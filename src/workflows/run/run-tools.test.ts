import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { runId, type ToolId } from '../../core/index.js';
import { rememberRecovered, runCaller } from './run-tools.js';

const call = (tool: string) => ({ tool: tool as ToolId, ok: true });
const ended = (...tools: string[]) => ({
  trace: {
    run: runId(`run_${tools.join()}`),
    ok: true,
    ms: 1,
    decisions: [],
    calls: tools.map(call),
    bindings: [
      { from: 0, to: 2 },
      { from: 1, to: 2 },
    ].filter(({ to }) => to < tools.length),
  },
  startedAt: 0,
});

test('recovered runs are remembered without reads of kept results, and other calls keep their bindings', async () => {
  const { workflows } = await runWorkflows();
  const told: unknown[] = [];
  workflows.recovered = (runs) => void told.push(...runs);

  rememberRecovered(workflows, [
    ended('pml:read_result'),
    ended('a:x', 'pml:read_result', 'a:y'),
    ended(),
  ]);

  expect(told).toMatchObject([
    { trace: { calls: [call('a:x'), call('a:y')], bindings: [{ from: 0, to: 1 }] } },
    { trace: { calls: [] } },
  ]);
});

test('recovered runs keep the parent of calls inside a capability', async () => {
  const { workflows } = await runWorkflows();
  const told: unknown[] = [];
  workflows.recovered = (runs) => void told.push(...runs);
  const { trace, startedAt } = ended('pml:read_result', 'cap:outer', 'pml:load_result', 'a:x');
  const calls = trace.calls.map((one, place) => (place > 1 ? { ...one, parent: 1 } : one));

  rememberRecovered(workflows, [{ trace: { ...trace, calls, bindings: [] }, startedAt }]);

  expect(told).toMatchObject([
    { trace: { calls: [call('cap:outer'), { ...call('a:x'), parent: 0 }] } },
  ]);
});

test('a call of a tool that vanished after planning fails with TOOL_UNKNOWN', async () => {
  const { workflows } = await runWorkflows();
  const { signal } = new AbortController();
  const caller = runCaller(workflows, runId('run_1'));

  await expect(caller.call('fake:gone' as ToolId, {}, { signal })).rejects.toMatchObject({
    code: 'TOOL_UNKNOWN',
  });
  await expect(caller.call('pml:gone' as ToolId, {}, { signal })).rejects.toMatchObject({
    code: 'TOOL_UNKNOWN',
  });
});

test('a run reads a kept result without any server', async () => {
  const { workflows } = await runWorkflows();
  const handle = workflows.results.keep({ text: 'a long text', mimeType: 'text/plain' });
  const { signal } = new AbortController();

  const page = await runCaller(workflows, runId('run_1')).call(
    'pml:read_result' as ToolId,
    { handle, offset: 2, limit: 4 },
    { signal },
  );

  expect(page.content[0]?.['text']).toMatch(/^long\n/);
});
