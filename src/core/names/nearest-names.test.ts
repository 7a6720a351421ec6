import fc from 'fast-check';
import { expect, test } from 'vitest';

import { nearestNames } from './nearest-names.js';

const KNOWN = [
  'github:list_issues',
  'github:create_issue',
  'github:get_file_contents',
  'gitlab:list_issues',
  'files:read_file',
  'files:write_file',
  'mail:send_message',
];

test.each([
  ['github:list_issue', 'github:list_issues'],
  ['gh:issues_list', 'github:list_issues'],
  ['github:listIssues', 'github:list_issues'],
  ['github__list_issues', 'github:list_issues'],
  ['fiels:read_file', 'files:read_file'],
  ['read_fil', 'files:read_file'],
  ['readFile', 'files:read_file'],
  ['mail:mesage_send', 'mail:send_message'],
])('%s is nearest to %s', (name, nearest) => {
  expect(nearestNames(name, KNOWN, 3)[0]).toBe(nearest);
});

test('nearestNames gives as many names as asked for, however distant they are', () => {
  expect(nearestNames('github:list_issue', KNOWN, 2)).toEqual([
    'github:list_issues',
    'gitlab:list_issues',
  ]);
  expect(nearestNames('weather:forecast', KNOWN, 3)).toHaveLength(3);
  expect(nearestNames('weather:forecast', [], 3)).toEqual([]);
});

test('a known name is nearest to itself, whatever its characters', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (own) => {
      const name = `server:${own}`;

      expect(nearestNames(name, [...KNOWN, name], 1)).toEqual([name]);
    }),
  );
});
