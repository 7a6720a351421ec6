import { describe, expect, test } from 'vitest';

import { type ExecutionTrace, type JsonObject, parseToolId } from '../../core/index.js';
import { reliabilityCurve } from '../../learning/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import { calibrateBindings, calibrated } from './calibrate-bindings.js';
import { replayBindings } from './replay-bindings.js';

const pause = async () => {};

const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const tool = (id: string, input: JsonObject, output: JsonObject): PlannableTool => ({
  id: parseToolId(id).id,
  inputSchema: input,
  output: { schema: output, source: 'declared' },
});
const find = tool('crm:find_user', object({ query: text }), object({ user_id: text, note: text }));
const orders = tool('crm:list_orders', object({ user_id: text }), object({ orders: text }));
const tools = new Map([find, orders].map((one) => [one.id, one]));

function trace(at: number, bindings: ExecutionTrace['bindings'], group?: string): ExecutionTrace {
  return {
    id: `x${at}`,
    intent: '',
    at: new Date(at),
    source: 'live',
    ok: true,
    calls: [find, orders].map(({ id }) => ({ tool: id, ok: true })),
    bindings,
    ...(group !== undefined && { group }),
  };
}

const right = [{ from: 0, to: 1, field: 'user_id', param: 'user_id' }];
const other = [{ from: 0, to: 1, field: 'note', param: 'user_id' }];

describe('a replayed execution', () => {
  test('a replayed execution shows whether the planner would have found its flows', async () => {
    expect(await replayBindings([trace(1, right)], { tools, pause })).toMatchObject([
      { isRight: true },
    ]);
    expect(await replayBindings([trace(1, other)], { tools, pause })).toMatchObject([
      { isRight: false },
    ]);
  });

  test('a replayed execution uses only earlier executions, whatever the order given', async () => {
    const [first, second] = await replayBindings([trace(2, right), trace(1, right)], {
      tools,
      pause,
    });
    const [alone] = await replayBindings([trace(1, right)], { tools, pause });

    expect(first).toEqual(alone);
    expect(second!.confidence).toBeGreaterThan(first!.confidence);
  });

  test('a replayed execution is not judged by others of its group', async () => {
    const traces = [trace(1, right, 'g'), trace(2, right), trace(3, right, 'g')];

    expect(await replayBindings(traces, { tools, pause })).toHaveLength(2);
  });

  test('a replayed execution ignores bindings that were not meant', async () => {
    expect(await replayBindings([trace(1, other)], { tools, pause, isMeant: () => false })).toEqual(
      [],
    );
  });
});

describe('probabilities of bindings', () => {
  const claims = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ confidence: 0.9, isRight: place % 2 === 0 }));

  test('calibrateBindings without claims leaves probabilities unchanged', async () => {
    expect(await calibrateBindings([], pause)).toEqual({ bias: 0, slope: 1 });
    expect(calibrated(0.9)).toBeCloseTo(0.9);
  });

  test('calibrateBindings moves probabilities further the more claims there are', async () => {
    const few = calibrated(0.9, await calibrateBindings(claims(6), pause));
    const many = calibrated(0.9, await calibrateBindings(claims(600), pause));

    expect(few).toBeGreaterThan(0.7);
    expect(many).toBeCloseTo(0.5, 1);
    const after = claims(600).map((one) => ({ ...one, confidence: many }));
    expect(reliabilityCurve(after).calibrationError).toBeLessThan(0.1);
  });
});
