import { expect, test } from 'vitest';

import { noPause } from '../../../test/helpers/examples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { requestGroups } from './request-groups.js';

test('executions with the same request words, or of the same session, share a group', async () => {
  const request = served('r1', 'Send the report!', ['a:one']);
  const run = served('r2', 'send the report', ['a:one'], { group: 'session' });
  const later = served('r3', 'and file it', ['a:two'], { group: 'session' });
  const other = served('r4', 'read the mail', ['a:two']);
  const groupOf = await requestGroups([request, run, later, other], noPause);

  expect(groupOf(run)).toBe(groupOf(request));
  expect(groupOf(later)).toBe(groupOf(request));
  expect(groupOf(other)).not.toBe(groupOf(request));
});

test('executions without a request do not share a group', async () => {
  const [one, other] = [served('r1', '', ['a:one']), served('r2', '', ['a:one'])];
  const groupOf = await requestGroups([one, other], noPause);

  expect(groupOf(one)).not.toBe(groupOf(other));
});
