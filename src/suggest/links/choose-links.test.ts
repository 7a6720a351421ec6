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

test('links are taken as long as they do more good than harm, likeliest first', () => {
  const { links, broken } = choosePlanLinks(
    candidates({ 'a→b': 0.8, 'b→c': 0.9, 'a→c': 0.1 }),
    ASIS,
  );

  expect(texts(links)).toEqual(['b→c', 'a→b']);
  expect(links[0]?.probability).toBeCloseTo(0.9, 12);
  expect(broken).toEqual([]);
});

test('of two that give each other values the likelier begins, and the other is told', () => {
  const { links, broken } = choosePlanLinks(candidates({ 'a→b': 0.8, 'b→a': 0.9 }), ASIS);

  expect(texts(links)).toEqual(['b→a']);
  expect(texts(broken)).toEqual(['a→b']);
});

test('a longer cycle is opened where it is weakest', () => {
  const ring = { 'a→b': 0.9, 'b→c': 0.8, 'c→d': 0.85, 'd→a': 0.7 };

  const { links, broken } = choosePlanLinks(candidates(ring), ASIS);

  expect(texts(links)).toEqual(['a→b', 'c→d', 'b→c']);
  expect(texts(broken)).toEqual(['d→a']);
});

test('a link counts as far as the less likely of its ends is wanted', () => {
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

test('names decide between links as likely as each other', () => {
  const { links } = choosePlanLinks(candidates({ 'b→a': 0.9, 'a→b': 0.9, 'a→a2': 0.9 }), ASIS);

  expect(texts(links)).toEqual(['a→a2', 'a→b']);
});
