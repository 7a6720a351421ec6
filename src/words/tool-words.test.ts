import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { nounsOf, verbOf } from './tool-words.js';

test('a name says what is done, and to what', () => {
  expect(verbOf(id('a:listPullRequests'))).toBe('list');
  expect(nounsOf(id('a:listPullRequests'))).toEqual(['pull', 'requests']);
  expect(verbOf(id('a:api/v1/get_user'))).toBe('get');
  expect(verbOf(id('a:--'))).toBe('');
});
