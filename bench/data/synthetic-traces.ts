import { type ExecutionTrace, type PastCall, runId } from '../../src/core/index.js';
import { seededRandom } from './seeded-random.js';
import { syntheticExecutions } from './synthetic-executions.js';

const FIRST_AT = Date.UTC(2026, 0, 1);
const FAILS = 0.05;

/** So many made-up executions as they are stored: with times, failures and what went where. */
export function syntheticTraces(count: number): readonly ExecutionTrace[] {
  const random = seededRandom(count);
  const { rows, toolSet } = syntheticExecutions({
    tools: 2_000,
    executions: count,
    procedures: 500,
    questions: 0,
  });
  return rows.map(({ id, query, order }, place): ExecutionTrace => {
    const calls = order.map((name): PastCall => {
      const ok = random() >= FAILS;
      const ms = Math.ceil(random() * 2_000);
      const tool = toolSet.idOf.get(name)!;
      return { tool, ok, ms, ...(!ok && { errorType: 'unknown' as const }) };
    });
    return {
      id: `execution-${id}`,
      run: runId(`run-${id}`),
      intent: query,
      at: new Date(FIRST_AT + place * 60_000),
      source: 'live',
      hasOrigins: true,
      ok: calls.every(({ ok }) => ok),
      calls,
      bindings: order.slice(1).map((_, from) => ({ from, to: from + 1, field: 'id', param: 'id' })),
    };
  });
}
