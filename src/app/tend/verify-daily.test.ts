import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type Logger, runId, silentLogger, type ToolId } from '../../core/index.js';
import { DailyVerifier } from './verify-daily.js';

const HOUR_MS = 3_600_000;

async function failing(...intents: readonly string[]) {
  const { workflows } = await runWorkflows();
  intents.forEach((intent, index) => {
    const learned = workflows.tools.capabilities.learn({
      code: `await mcp.fake.read_a({}); await mcp.fake.read_b({}); return ${index}`,
      intent,
      run: runId('run_1'),
      calls: [{ tool: 'fake:read_a' as ToolId, ok: true }],
      definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
      ms: 1,
    });
    if (learned.kind === 'refused') throw new Error(learned.reason);
    const failed = { ok: false, ms: 1, at: new Date(0) };
    for (let time = 0; time < 3; time++) {
      workflows.tools.capabilities.used(learned.capability.name, failed);
    }
  });
  const tried: unknown[] = [];
  const log: Logger = { ...silentLogger, info: (_what, about) => void tried.push(about?.['name']) };
  const clock = { now: Date.now() + 48 * HOUR_MS, isWanted: true };
  const verifier = new DailyVerifier(workflows, {
    isWanted: () => clock.isWanted,
    log,
    now: () => clock.now,
  });
  return { verifier, tried, clock };
}

test('tries one at a time, each once a day', async () => {
  const { verifier, tried, clock } = await failing('first', 'second');

  for (let hour = 0; hour < 24; hour++) {
    await verifier.verifyOne();
    clock.now += HOUR_MS;
  }

  expect(new Set(tried)).toEqual(new Set(['first', 'second']));
  expect(tried).toHaveLength(2);
  await verifier.verifyOne();
  expect(tried).toHaveLength(3);
});

test('tries nothing unless that is wanted', async () => {
  const { verifier, tried, clock } = await failing('first');
  clock.isWanted = false;

  await verifier.verifyOne();

  expect(tried).toEqual([]);
});
