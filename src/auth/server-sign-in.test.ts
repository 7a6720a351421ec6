import { expect, test } from 'vitest';

import { memorySignInStore } from '../../test/helpers/memory-sign-in-store.js';
import {
  signInAsPerson,
  specBehindOAuth,
  startOAuthWorld,
} from '../../test/helpers/oauth-world.js';
import { silentLogger } from '../core/index.js';
import { ServerSignIn } from './server-sign-in.js';
import { RemoteSignIns } from './sign-ins.js';

test('a refused request gets the token of a person who signs in while PML looks for the authorization server', async () => {
  await using world = await startOAuthWorld();
  const spec = specBehindOAuth(world.url);
  const record = await recordOf(spec);
  let release = () => {};
  const looked = new Promise<void>((resolve) => (release = resolve));
  const signIn = new ServerSignIn(spec, {
    key: 'notes',
    store: memorySignInStore(),
    fetch: async (url, init) => {
      await looked;
      return fetch(url, init);
    },
    log: silentLogger,
    now: Date.now,
    changed: () => {},
  });
  const { status, headers } = await fetch(spec.url, { method: 'POST' });
  expect(status).toBe(401);

  const replaced = signIn.replace({ status: 401, headers, token: undefined });
  await signIn.adopt(record);
  release();

  expect(await replaced).toBe(record.tokens?.access);
  expect(signIn.needsSignIn).toBe(false);
});

/** What a person's sign-in at this server is stored as. */
async function recordOf(spec: ReturnType<typeof specBehindOAuth>) {
  const store = memorySignInStore();
  const signIns = new RemoteSignIns({
    store,
    log: silentLogger,
    now: Date.now,
    onChange: () => {},
  });
  const flow = await signIns.begin(spec, { device: false });
  await signInAsPerson(flow.address.url);
  await flow.done;
  const [json] = store.values.values();
  return json as unknown as Parameters<ServerSignIn['adopt']>[0];
}
