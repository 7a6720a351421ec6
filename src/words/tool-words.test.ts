import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { verbOf } from './tool-words.js';

test('a name says what is done', () => {
  expect(verbOf(id('a:listPullRequests'))).toBe('list');
  expect(verbOf(id('a:api/v1/get_user'))).toBe('get');
  expect(verbOf(id('a:--'))).toBe('');
});
