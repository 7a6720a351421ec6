import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { toolsBut } from '../../test/helpers/suggest-evidence.js';
import type { Likely } from './evidence.js';
import { mentionsIn } from './mentions.js';

function mentions(intent: string, tools: readonly string[], likely: readonly Likely[] = []) {
  const toolOf = toolsBut(['a:gone']);
  const mentionOf = mentionsIn({ intent, likely, toolOf }, tools.map(id));
  return tools.map((tool) => mentionOf(id(tool)));
}

test('tool is mentioned where the intent has its words', () => {
  expect(mentions('alpha beta gamma delta', ['a:alpha', 'a:gamma'])).toEqual([0, 0.5]);
});

test('tool that shares no word with the intent, or no longer exists, is not mentioned', () => {
  expect(mentions('alpha beta', ['a:other', 'a:gone'])).toEqual([undefined, undefined]);
  expect(mentions('', ['a:alpha'])).toEqual([undefined]);
});

test('words that few tools share count most for a mention', () => {
  const [first = 0, second = 0] = mentions('fetch alpha beta gamma', [
    'a:fetch_alpha',
    'a:fetch_gamma',
  ]);

  // Both have `fetch` at 0, which weighs ln(2)²; their own words at 1 and 3 weigh ln(3)².
  const [common, own] = [Math.log(2) ** 2, Math.log(3) ** 2];
  expect(first).toBeCloseTo(own / (common + own) / 4, 12);
  expect(second).toBeCloseTo((3 * own) / (common + own) / 4, 12);
});

test('position of the need that a tool fits counts more than its words', () => {
  const likely = [{ tool: id('a:alpha'), probability: 0.5, place: 0.75 }];

  expect(mentions('alpha beta', ['a:alpha', 'a:beta'], likely)).toEqual([0.75, 0.5]);
});
