import { expect, test } from 'vitest';

import { onlyAsks } from './only-asks.js';

test.each([
  'what files are in the folder?',
  'do we have a contract with Acme?',
  'show me the deals and tell me their amounts',
  "I can't find my tax stuff",
  'could you please list my notes',
  'did anybody remove the old contract? check whether it is there',
  'the old report, is it there?',
])('%j only asks', (request) => {
  expect(onlyAsks(request)).toBe(true);
});

test.each([
  'can you delete the file?',
  'do the usual thing for department 9',
  'could you switch off the kitchen lights for me?',
  'I want to sell some of my shares. Can you handle that for me?',
  'find the customer, write what we know to a file',
  'read it and then send it to Anna',
  'rename the report',
  'do not send it, only read it',
  'remember that Anna works at Acme',
  '',
])('%j wants more than an answer, or may', (request) => {
  expect(onlyAsks(request)).toBe(false);
});
