import { expect, test } from 'vitest';

import type { JsonObject, ToolId } from '../../core/index.js';
import type { SessionCall, Situation } from '../situation.js';
import { RepeatPredictor } from './repeat-predictor.js';

const call = (name: string, args: JsonObject = {}): SessionCall => ({
  tool: `a:${name}` as ToolId,
  args,
  ok: true,
  turn: 1,
  at: 0,
});
const after = (...calls: SessionCall[]): Situation => ({
  session: 's',
  client: 'test',
  intent: '',
  calls,
});

test('what always came after a call is foreseen with its arguments, surer each time', async () => {
  const predictor = new RepeatPredictor();
  for (let i = 0; i < 12; i++) predictor.observe(after(call('list')), call('get', { id: 7 }));

  const [first] = await predictor.predict(after(call('list')));

  expect(first).toMatchObject({ tool: 'a:get', args: { id: 7 }, confidence: 12 / 13 });
});

test('nothing is foreseen after a call that was never seen', async () => {
  expect(await new RepeatPredictor().predict(after(call('list')))).toEqual([]);
});

test('other arguments lower the confidence in the call and not in the tool', async () => {
  const predictor = new RepeatPredictor();
  for (const id of [1, 2, 2]) predictor.observe(after(call('list')), call('get', { id }));

  const [first] = await predictor.predict(after(call('list')));

  expect(first).toMatchObject({ args: { id: 2 }, confidence: 0.5, toolConfidence: 0.75 });
});
