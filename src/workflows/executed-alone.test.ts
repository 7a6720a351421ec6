import { describe, expect, test } from 'vitest';

import { id } from '../../test/helpers/past-intent.js';
import { runWorkflows } from '../../test/helpers/run-workflows.js';
import type { JsonObject } from '../core/index.js';
import { NO_TRAIL } from '../discovery/index.js';

const call = { tool: id('fake:read_a'), ok: true, ms: 1 };

async function remembered(args: JsonObject) {
  const { workflows, discovery } = await runWorkflows();
  workflows.executedAlone({ current: NO_TRAIL }, call, args);
  workflows.runs.learnEnded();
  await discovery.settled();
  return Array.from(discovery.traces, ({ calls }) => calls[0]?.args);
}

// covers: PREDICT-KEPT
describe('a call outside a run', () => {
  test('a call outside a run is remembered with its arguments', async () => {
    const args = { path: '/notes/a.md', limit: 20, tags: ['x'] };

    expect(await remembered(args)).toEqual([args]);
  });

  test('a call outside a run is remembered without secrets and long texts', async () => {
    const key = `sk-ant-${'a1B2c3D4'.repeat(6)}`;
    const args = { path: '/a', token: 'abc', note: `use ${key}`, text: 'x'.repeat(400) };

    expect(await remembered(args)).toEqual([{ path: '/a' }]);
  });

  test('a call outside a run is remembered without arguments if it had none that may be kept', async () => {
    expect(await remembered({})).toEqual([undefined]);
    expect(await remembered({ password: 'abc' })).toEqual([undefined]);
  });
});
