import { expect, test } from 'vitest';

import { parseToolId } from '../../core/index.js';
import { changesAskedBy, isQuestion, isRefused } from './asked-work.js';

const tool = (id: string) => parseToolId(id).id;

test('a change that the request forbids is refused, not asked for', () => {
  const request = 'do not send it, only draft a mail to Bob Stone';

  expect(changesAskedBy(request).refused.has('send')).toBe(true);
  expect(isRefused(request, tool('mail:send_mail'))).toBe(true);
  expect(isRefused(request, tool('mail:save_draft'))).toBe(false);
});

test('a refusal ends at the end of its clause', () => {
  const request = "don't delete the old file, write a new one and do not send it";

  const { refused } = changesAskedBy(request);
  expect(refused.has('delete') && refused.has('send')).toBe(true);
  expect(changesAskedBy(request).clear.has('write')).toBe(true);
});

test('a request not to forget something asks for it', () => {
  const { clear, refused } = changesAskedBy("don't forget to save it to /tmp/x.txt");

  expect([...clear]).toEqual(['write']);
  expect([...refused]).toEqual([]);
});

test('a change that the request both forbids and asks for is not refused', () => {
  const request = 'do not send the draft to Ann. Send it to Bob';

  expect(isRefused(request, tool('mail:send_mail'))).toBe(false);
});

test.each([
  ['how is the weather in Oslo?', true],
  ['also, what is the weather in Rome', true],
  ['is it raining in Vienna right now? just tell me, do not write a file', true],
  ['what is the weather in Rome, and note it in rome.txt', false],
  ["what's in the latest mail from Ann?", true],
  ['do not send it, only draft a mail to Ann', false],
  ['do I need an umbrella in Oslo', true],
  ['book a hotel in Porto', false],
])('%s: a question only: %s', (request, only) => {
  expect(isQuestion(request)).toBe(only);
});

test.each(['only read me the weather of Rome, save nothing', 'show the report, store no file'])(
  '%s: refuses the change before the refusing word',
  (request) => {
    expect(isRefused(request, tool('fs:write_file'))).toBe(true);
    expect(changesAskedBy(request).possible.has('write')).toBe(false);
  },
);

test('a change that is asked for elsewhere stays asked for beside one of nothing', () => {
  const request = 'save it to /tmp/x.txt and save nothing else';

  expect(isRefused(request, tool('fs:write_file'))).toBe(false);
});
