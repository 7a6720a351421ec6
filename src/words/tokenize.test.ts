import { expect, test } from 'vitest';

import { tokenize } from './tokenize.js';

test.each([
  ['getHTTPResponse', ['get', 'http', 'respons']],
  ['read_text-file.v2', ['read', 'text', 'fil', 'v2']],
  ['Please list all of my files', ['list', 'fil']],
  ['Dépôt Übersicht', ['depot', 'ubersicht']],
  ['base64 of 365 days', ['base64', '365', 'day']],
  ['', []],
  ['the of and', []],
])('%j has the terms %j', (text, terms) => {
  expect(tokenize(text)).toEqual(terms);
});

test.each([
  ['create', 'creates', 'created', 'creating', 'creation'],
  ['query', 'queries', 'querying', 'queried'],
  ['search', 'searches', 'searching', 'searched'],
  ['commit', 'commits', 'committing', 'committed'],
  ['generate', 'generation', 'generator', 'generated', 'generating'],
  ['deploy', 'deployment', 'deployments', 'deployed'],
  ['translate', 'translation', 'translates'],
  ['configure', 'configuration', 'configured'],
  ['delete', 'deletion', 'deleting'],
  ['organize', 'organization', 'organizing'],
  ['box', 'boxes'],
  ['process', 'processes', 'processing'],
  ['branch', 'branches'],
  ['update', 'updated', 'updating'],
])('%s meets its family', (word, ...family) => {
  expect(new Set(family.flatMap(tokenize))).toEqual(new Set(tokenize(word)));
});

test.each([
  ['file', 'fill'],
  ['comment', 'commit'],
  ['status', 'state'],
  ['string', 'str'],
])('%s and %s stay apart', (one, other) => {
  expect(tokenize(one)).not.toEqual(tokenize(other));
});
