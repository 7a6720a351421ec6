import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { offlineTools } from '../../../test/helpers/offline-tools.js';
import { serverName, toolId } from '../../core/index.js';

const FAKE = serverName('fake');

test.each([
  [
    'says how much of long arguments it leaves out',
    'x'.repeat(2_000),
    /x… \(\d+ more characters\)\?$/,
  ],
  ['shows what is invisible', 'a\u202eb', /^Allow fake:delete_a with \{"id":"a\\u\{202e\}b"\}\?$/],
  ['shows short arguments as they are', 'é', /^Allow fake:delete_a with \{"id":"é"\}\?$/],
])('the question before a call by its own name %s [SAFE-SHOWN-CALLS]', async (_, id, message) => {
  const permissions = { allow: [], ask: ['fake:delete_a'], deny: [] };
  const { tools, list } = await offlineTools(['fake'], { changes: { permissions } });
  list('fake', ['delete_a']);
  const client = fakeClient('a', { ask: async () => ({ action: 'decline' }) });
  const params = { name: 'delete_a', arguments: { id } };

  const passed = tools.calls.pass(
    { id: toolId(FAKE, 'delete_a'), server: FAKE, params },
    client.context,
  );

  await expect(passed).rejects.toMatchObject({ code: 'TOOL_DENIED' });
  expect(client.asked[0]?.['message']).toMatch(message);
});
