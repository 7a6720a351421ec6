import { expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { task } from '../../../test/helpers/run-parts.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type RunState, type Task, type ToolId } from '../../core/index.js';
import { learnFromRun } from './run-capability.js';

const CODE = 'const a = await mcp.fake.read_a({}); return mcp.fake.read_b({ a });';
const guess = { source: 'literal', score: 0.8, because: 'names fit' } as const;

/** A script that succeeded, and a task that was added to its run. */
async function learnedFrom(guessed?: Task['guessed']) {
  const { workflows } = await runWorkflows();
  const added = { ...task('read_c', [], { args: { city: 'Rome' } }), ...(guessed && { guessed }) };
  const { live } = await idleRun([task('read_a'), task('read_b'), added]);
  const script = { code: CODE, args: {}, seed: 1, logs: [], operations: [] };
  const state: RunState = { ...live.state, intent: 'look at both', script };
  const calls = ['read_a', 'read_b', 'read_c'].map((tool) => {
    return { tool: `fake:${tool}` as ToolId, ok: true };
  });
  const trace = { run: state.run, ok: true, ms: 1, calls, bindings: [], decisions: [] };
  learnFromRun(workflows, trace, state);
  return workflows.tools.capabilities.list().length;
}

test('PML learns no capability from a run with guessed values that were not confirmed', async () => {
  expect(await learnedFrom()).toBe(1);
  expect(await learnedFrom({ city: { ...guess, confirmed: 'seen' } })).toBe(1);
  expect(await learnedFrom({ city: guess })).toBe(0);
});
