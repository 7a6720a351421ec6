import { expect, test } from 'vitest';

import { estimateTokens, type JsonObject, type ToolId } from '../../core/index.js';
import { chooseOffers, offersText } from './choose-offers.js';

const call = (name: string, args: JsonObject = {}) => ({
  tool: `a:${name}` as ToolId,
  args,
  confidence: 0.95,
  toolConfidence: 0.95,
  why: '',
});

// covers: OFFERS-SMALL
test('at most two offers are made, in at most 60 tokens altogether', () => {
  const three = [call('one', { id: 1 }), call('two', { id: 2 }), call('three', { id: 3 })];
  const offers = chooseOffers(three, () => true);

  expect(offers).toEqual([
    { tool: 'a:one', args: { id: 1 } },
    { tool: 'a:two', args: { id: 2 } },
  ]);
  expect(estimateTokens(offersText(offers))).toBeLessThanOrEqual(60);
});

test('a call that would take too many tokens leaves room for the next one', () => {
  const offers = chooseOffers([call('long', { text: 'x'.repeat(300) }), call('short')], () => true);

  expect(offers).toEqual([{ tool: 'a:short', args: {} }]);
});

test('a call that is not sure enough is not offered', () => {
  expect(chooseOffers([call('one')], () => false)).toEqual([]);
});
