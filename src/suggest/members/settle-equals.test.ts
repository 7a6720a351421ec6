import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../../core/index.js';
import { settleEquals } from './settle-equals.js';

const member = (tool: string, probability: number) => ({
  tool: id(tool),
  probability,
  signals: new Float64Array(),
});
const [ONE, OTHER] = ['one:get_weather_report', 'two:get_weather_report'];
const runs = (tool: string, count: number, ok = true): ExecutionTrace[] =>
  Array.from({ length: count }, (_, at) => {
    const trace = served(`${tool}${at}${String(ok)}`, 'x', [tool]);
    return ok ? trace : { ...trace, ok, calls: trace.calls.map((call) => ({ ...call, ok })) };
  });

function settled(
  traces: readonly ExecutionTrace[],
  { other = OTHER, chance = 0.6, intent = 'how is it outside' } = {},
) {
  return settleEquals(
    { members: [member(ONE!, 0.65)], others: [member(other!, chance)], expected: 0.8 },
    evidenceWith({ intent, traces }),
  );
}

test('of two equal tools the one that was used more often becomes the member', () => {
  const { members, others, settled: reasons } = settled(runs(OTHER!, 5));

  expect(members).toMatchObject([{ tool: OTHER, probability: 0.65 }]);
  expect(others).toMatchObject([{ tool: ONE, probability: 0.6 }]);
  expect(reasons).toEqual([{ chosen: OTHER, instead: ONE, because: 'used more often' }]);
});

test('of two equally used tools the more reliable one becomes the member', () => {
  const traces = [...runs(ONE!, 3), ...runs(ONE!, 5, false), ...runs(OTHER!, 6)];

  expect(settled(traces).settled).toMatchObject([{ chosen: OTHER, because: 'more reliable' }]);
});

test('members stay where the request decides, by its words or by a clear difference', () => {
  const used = runs(OTHER!, 5);

  expect(settled(used, { chance: 0.3 }).settled).toEqual([]);
  const news = 'two:get_weather_forecast';
  expect(settled(runs(news, 5), { other: news, intent: 'a weather report' }).settled).toEqual([]);
});

test('members stay if the other tool does something else, or was called together with them', () => {
  const other = 'two:send_mail';

  expect(settled(runs(other, 5), { other }).settled).toEqual([]);
  const together = Array.from({ length: 5 }, (_, at) => served(`t${at}`, 'x', [ONE!, OTHER!]));
  expect(settled(together).settled).toEqual([]);
});

test('members stay without any past', () => {
  expect(settled([]).settled).toEqual([]);
});
