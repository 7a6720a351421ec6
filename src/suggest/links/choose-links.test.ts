import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { logOdds } from '../../learning/odds.js';
import { choosePlanLinks } from './choose-links.js';
import type { LinkCandidate } from './link-signals.js';

/** `a→b` with how likely it is. */
function candidates(links: Readonly<Record<string, number>>): readonly LinkCandidate[] {
  return Object.entries(links).map(([link, probability]) => {
    const [from = '', to = ''] = link.split('→');
    return {
      from: id(`s:${from}`),
      to: id(`s:${to}`),
      signals: Float64Array.of(logOdds(probability)),
    };
  });
}

const ASIS = Float64Array.of(1);
const texts = (links: readonly { readonly from: string; readonly to: string }[]) =>
  links.map(({ from, to }) => `${from.slice(2)}→${to.slice(2)}`);

test('choosePlanLinks takes links while they do more good than harm, likeliest first', () => {
  const { links, broken } = choosePlanLinks(
    candidates({ 'a→b': 0.8, 'b→c': 0.9, 'a→c': 0.1 }),
    ASIS,
  );

  expect(texts(links)).toEqual(['b→c', 'a→b']);
  expect(links[0]?.probability).toBeCloseTo(0.9, 12);
  expect(broken).toEqual([]);
});

test('choosePlanLinks keeps the likelier of two opposite links and reports the other as broken', () => {
  const { links, broken } = choosePlanLinks(candidates({ 'a→b': 0.8, 'b→a': 0.9 }), ASIS);

  expect(texts(links)).toEqual(['b→a']);
  expect(texts(broken)).toEqual(['a→b']);
});

test('choosePlanLinks breaks a longer cycle at its least likely link', () => {
  const ring = { 'a→b': 0.9, 'b→c': 0.8, 'c→d': 0.85, 'd→a': 0.7 };

  const { links, broken } = choosePlanLinks(candidates(ring), ASIS);

  expect(texts(links)).toEqual(['a→b', 'c→d', 'b→c']);
  expect(texts(broken)).toEqual(['d→a']);
});

test('link probability is scaled by the less likely of its two ends', () => {
  const chances = new Map([
    [id('s:a'), 0.9],
    [id('s:b'), 0.5],
  ]);

  const { links } = choosePlanLinks(
    candidates({ 'a→b': 0.8 }),
    ASIS,
    (tool) => chances.get(tool) ?? 0,
  );

  expect(links[0]?.probability).toBeCloseTo(0.4, 12);
});

test('choosePlanLinks orders equally likely links by name', () => {
  const { links } = choosePlanLinks(candidates({ 'b→a': 0.9, 'a→b': 0.9, 'a→a2': 0.9 }), ASIS);

  expect(texts(links)).toEqual(['a→a2', 'a→b']);
});
