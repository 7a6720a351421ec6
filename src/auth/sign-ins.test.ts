/** Sign-ins against the real `oidc-provider`, without a daemon. */
import { describe, expect, test } from 'vitest';

import { memorySignInStore } from '../../test/helpers/memory-sign-in-store.js';
import {
  type OAuthWorld,
  type OAuthWorldOptions,
  signInAsPerson,
  specBehindOAuth,
  startOAuthWorld,
} from '../../test/helpers/oauth-world.js';
import { type OAuthSettings, type RemoteSpec, silentLogger } from '../core/index.js';
import { RemoteSignIns } from './sign-ins.js';

function signInsWith(store = memorySignInStore(), now: () => number = Date.now) {
  const changes: boolean[] = [];
  const signIns = new RemoteSignIns({
    store,
    log: silentLogger,
    now,
    onChange: (_server, { isSignedIn }) => changes.push(isSignedIn),
  });
  return { signIns, store, changes };
}

/** Sends a request as the channel does, up to three times. */
async function request(signIns: RemoteSignIns, spec: RemoteSpec, tool = 'read'): Promise<number> {
  const tokens = signIns.tokensFor(spec);
  let token = await tokens?.current();
  for (let tries = 0; ; tries++) {
    const response = await fetch(spec.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: {} },
      }),
    });
    await response.text();
    const { status, headers } = response;
    if ((status !== 401 && status !== 403) || tries === 2) return status;
    token = await tokens?.replace({ status, headers, token });
    if (token === undefined) return status;
  }
}

async function signIn(signIns: RemoteSignIns, spec: RemoteSpec) {
  const flow = await signIns.begin(spec, { device: false });
  await signInAsPerson(flow.address.url);
  return flow.done;
}

async function signedIn(options: OAuthWorldOptions = {}, oauth?: Partial<OAuthSettings>) {
  const world = await startOAuthWorld(options);
  const spec = specBehindOAuth(world.url, oauth);
  const parts = signInsWith();
  await expect(request(parts.signIns, spec)).rejects.toThrow(/pml auth login notes/);
  expect(await signIn(parts.signIns, spec)).toEqual({ status: 'signed_in' });
  expect(await request(parts.signIns, spec)).toBe(200);
  return { world, spec, ...parts };
}

const refreshes = ({ tokenRequests }: OAuthWorld) => tokenRequests.get('refresh_token') ?? 0;

describe('the refresher', () => {
  test('PML renews a token of two seconds before it expires', async () => {
    const world = await startOAuthWorld({ tokenSeconds: 2 });
    await using _world = world;
    const spec = specBehindOAuth(world.url);
    let ahead = 0;
    const { signIns } = signInsWith(memorySignInStore(), () => Date.now() + ahead);
    await signIn(signIns, spec);
    const first = await signIns.tokensFor(spec)?.current();

    ahead = 1_700;
    const second = await signIns.tokensFor(spec)?.current();

    expect([first, second].every((token) => world.issued.has(token ?? ''))).toBe(true);
    expect(second).not.toBe(first);
    expect(refreshes(world)).toBe(1);
  });

  test('a new pair that cannot be written answers no waiter, and is written with the next call', async () => {
    const { world, spec, signIns, store } = await signedIn();
    await using _world = world;
    world.expireAll();
    store.failWrites = true;

    await expect(request(signIns, spec)).rejects.toThrow(/disk full/);
    await expect(request(signIns, spec)).rejects.toThrow(/disk full/);
    store.failWrites = false;

    expect(await request(signIns, spec)).toBe(200);
    expect(refreshes(world)).toBe(1);
    expect(JSON.stringify([...store.values.values()])).toContain(
      await signIns.tokensFor(spec)?.current(),
    );
  });

  // covers: AUTH-LEASE
  test('two daemons that share a store refresh once', async () => {
    const { world, spec, signIns, store } = await signedIn();
    await using _world = world;
    const { signIns: other } = signInsWith(store);
    expect(await request(other, spec)).toBe(200);
    world.expireAll();

    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => request(index % 2 ? signIns : other, spec)),
    );

    expect(statuses).toEqual(Array(20).fill(200));
    expect(refreshes(world)).toBe(1);
  });

  test('a refresh token that another daemon has used is replaced by the one it stored', async () => {
    const { world, spec, signIns, store } = await signedIn();
    await using _world = world;
    const values = new Map(store.values);
    world.expireAll();
    const { signIns: other, store: others } = signInsWith(memorySignInStore(values));
    await request(other, spec);
    // The pair arrives in the store of the first one only while its own request is under way.
    world.failTokens = () => {
      for (const [key, value] of others.values) store.values.set(key, value);
      return { status: 400, body: '{"error":"invalid_grant"}' };
    };

    expect(await request(signIns, spec)).toBe(200);
  });

  test('a revoked grant signs out, keeps the registration, and asks for one sign-in', async () => {
    const { world, spec, signIns, store, changes } = await signedIn();
    await using _world = world;
    world.expireAll();
    world.revokeAll();

    await expect(request(signIns, spec)).rejects.toThrow(/ended the last sign-in/);
    await expect(request(signIns, spec)).rejects.toThrow(/pml auth login notes/);

    const [record] = store.values.values();
    expect(record).not.toHaveProperty('tokens');
    expect(record).toHaveProperty('client.clientId');
    expect(changes).toEqual([false, true, false]);
    expect((await signIns.statusOf(spec)).state).toBe('needs_sign_in');
  });

  test.each([
    ['a page of HTML', 502, '<html>bad gateway</html>'],
    ['a page of HTML with status 200', 200, '<html>welcome</html>'],
    ['an error of its own', 500, '{"error":"server_error"}'],
    ['an error for a while', 400, '{"error":"temporarily_unavailable"}'],
  ])('an authorization server that answers %s keeps PML signed in', async (_, status, body) => {
    const { world, spec, signIns } = await signedIn();
    await using _world = world;
    world.expireAll();
    world.failTokens = () => ({ status, body });

    await expect(request(signIns, spec)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
    world.failTokens = undefined;

    expect(await request(signIns, spec)).toBe(200);
  });
});

describe('what a sign-in asks for', () => {
  // covers: AUTH-STEP-UP
  test('a refused call asks for the union of the granted scopes and its own', async () => {
    const { world, spec, signIns } = await signedIn({ writeScope: 'mcp:write' });
    await using _world = world;

    await expect(request(signIns, spec, 'write')).rejects.toThrow(/more permissions \(mcp:write\)/);
    const flow = await signIns.begin(spec, { device: false });
    const scope = new URL(flow.address.url).searchParams.get('scope') ?? '';
    await signInAsPerson(flow.address.url);
    await flow.done;

    expect(scope.split(' ').toSorted()).toEqual(['mcp:read', 'mcp:write', 'offline_access']);
    expect(await request(signIns, spec, 'write')).toBe(200);
    expect(await request(signIns, spec, 'read')).toBe(200);
  });

  test('two clients that ask at once get one sign-in', async () => {
    await using world = await startOAuthWorld();
    const { signIns } = signInsWith();
    await using _ended = signIns;
    const spec = specBehindOAuth(world.url);

    const [one, other] = await Promise.all(
      [1, 2].map(() => signIns.begin(spec, { device: false })),
    );

    expect(one?.address).toEqual(other?.address);
  });

  test('the registration of an earlier sign-in is used again', async () => {
    const { world, spec, signIns, store } = await signedIn();
    await using _world = world;
    const clientOf = () => JSON.stringify([...store.values.values()].map((one) => one['client']));
    const before = clientOf();

    await signIn(signIns, spec);

    expect(clientOf()).toBe(before);
  });
});

describe('other ways to sign in', () => {
  // covers: AUTH-MACHINE
  test('a machine signs in with its own secret, and again when its token expires', async () => {
    const client = {
      client_id: 'machine',
      client_secret: 'machine-secret-0123456789',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    };
    await using world = await startOAuthWorld({ clients: [client] });
    const spec = specBehindOAuth(world.url, {
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret: 'machine-secret-0123456789',
    });
    const { signIns } = signInsWith();

    const first = await request(signIns, spec);
    world.expireAll();
    const second = await request(signIns, spec);

    expect([first, second]).toEqual([200, 200]);
    expect([...world.tokenRequests]).toEqual([['client_credentials', 2]]);
  });

  // covers: AUTH-DEVICE
  test('a person types a code on another device', async () => {
    await using world = await startOAuthWorld();
    const { signIns } = signInsWith();
    await using _ended = signIns;
    const spec = specBehindOAuth(world.url);

    const flow = await signIns.begin(spec, { device: true });
    await signInAsPerson(flow.address.url);

    expect(await flow.done).toEqual({ status: 'signed_in' });
    expect(flow.address.code).toMatch(/^\w{4}-\w{4}$/);
    expect(await request(signIns, spec)).toBe(200);
  });
});

describe('signing out', () => {
  const issuedTo = (world: OAuthWorld) =>
    Promise.all([...world.issued].map((token) => world.isValid(token)));

  // covers: AUTH-REVOKE
  test('the tokens are forgotten here and revoked at the authorization server', async () => {
    const { world, spec, signIns, store } = await signedIn();
    await using _world = world;
    expect(await issuedTo(world)).toContain(true);

    expect(await signIns.signOut(spec)).toEqual({ wasSignedIn: true, revocation: 'revoked' });

    expect(store.values.size).toBe(0);
    expect(await issuedTo(world)).not.toContain(true);
    expect(await signIns.signOut(spec)).toEqual({ wasSignedIn: false });
  });

  test('a sign-out names an authorization server that offers no revocation', async () => {
    const { world, spec, signIns, store } = await signedIn({ revokes: false });
    await using _world = world;

    expect(await signIns.signOut(spec)).toEqual({ wasSignedIn: true, revocation: 'not_offered' });
    expect(store.values.size).toBe(0);
  });

  test('a revocation that fails signs out all the same, and says why without a token', async () => {
    const { world, spec, signIns, store } = await signedIn();
    await using _world = world;
    world.failRevocation = 503;

    const out = await signIns.signOut(spec);

    expect(out).toEqual({
      wasSignedIn: true,
      revocation: 'failed',
      why: 'it answered HTTP 503',
    });
    expect(store.values.size).toBe(0);
  });
});
