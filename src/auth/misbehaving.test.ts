/** Authorization servers that break the rules: PML does not sign in, and says why. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, test } from 'vitest';

import { memorySignInStore } from '../../test/helpers/memory-sign-in-store.js';
import { type RemoteSpec, serverName, silentLogger } from '../core/index.js';
import { decideIdentity } from './client-identity.js';
import { RemoteSignIns } from './sign-ins.js';

type Json = Record<string, unknown>;

interface Faults {
  /** Replaces parts of the metadata of the authorization server; null removes one. */
  readonly metadata?: Json;
  readonly resource?: Json;
  /** Answers before anything else. */
  readonly answer?: (
    path: string,
  ) => { status: number; body: string; headers?: Record<string, string> } | undefined;
}

/** A server that is its own authorization server, and does one thing wrong. */
async function startMisbehaving({ metadata = {}, resource = {}, answer }: Faults = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const own = answer?.(path);
    if (own) return response.writeHead(own.status, own.headers).end(own.body);
    const body = documentAt(path);
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const documentAt = (path: string): Json | undefined => {
    if (path.startsWith('/.well-known/oauth-protected-resource')) {
      return { resource: `${origin}/mcp`, authorization_servers: [origin], ...resource };
    }
    if (path === '/.well-known/oauth-authorization-server') {
      const all = {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
    }
    if (path === '/register') return { client_id: 'pml', redirect_uris: [] };
    if (path === '/token') {
      return { access_token: 'access-0123456789', token_type: 'Bearer', expires_in: 60 };
    }
    return undefined;
  };
  const spec: RemoteSpec = {
    kind: 'http',
    name: serverName('bad'),
    url: `${origin}/mcp`,
    headers: {},
    toolsAllow: undefined,
    toolsDeny: [],
    timeoutMs: undefined,
    maxConcurrency: undefined,
    isolation: 'shared',
    start: undefined,
    configHash: '',
  };
  const signIns = new RemoteSignIns({
    store: memorySignInStore(),
    log: silentLogger,
    now: Date.now,
    onChange: () => {},
  });
  return {
    origin,
    asked,
    begin: () => signIns.begin(spec, { device: false }),
    async [Symbol.asyncDispose]() {
      await signIns[Symbol.asyncDispose]();
      server.close();
    },
  };
}

describe('a sign-in does not begin', () => {
  test.each<[string, Faults, RegExp]>([
    ['no PKCE', { metadata: { code_challenge_methods_supported: null } }, /PKCE with S256/],
    ['plain PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /PKCE/],
    ['another issuer', { metadata: { issuer: 'https://evil.example' } }, /issuer/i],
    [
      'a resource of others',
      { resource: { resource: 'https://bank.example/' } },
      /another resource/,
    ],
    ['no registration', { metadata: { registration_endpoint: null } }, /oauth\.clientId/],
    [
      'registration in HTML',
      { answer: (path) => (path === '/register' ? { status: 403, body: '<html>' } : undefined) },
      /did not register PML: it answered HTTP 403/,
    ],
    [
      'metadata in HTML',
      {
        answer: (path) =>
          path.includes('authorization-server') ? { status: 200, body: '<html>' } : undefined,
      },
      /not in the form|Unexpected token/,
    ],
    [
      'an address in a private network',
      { metadata: { registration_endpoint: 'https://169.254.169.254/register' } },
      /link-local address/,
    ],
  ])('at a server with %s', async (_, faults, why) => {
    await using server = await startMisbehaving(faults);

    await expect(server.begin()).rejects.toThrow(why);
  });

  test('at a server whose metadata redirects in a circle, after a bounded number of requests', async () => {
    await using server = await startMisbehaving({
      answer: (path) =>
        path.startsWith('/.well-known')
          ? { status: 302, body: '', headers: { location: path } }
          : undefined,
    });

    await expect(server.begin()).rejects.toThrow(/names no authorization server|Cannot sign in/);
    expect(server.asked.length).toBeLessThan(200);
  });
});

describe('a browser that returns', () => {
  const returned = async (change: (params: URLSearchParams, origin: string) => void) => {
    await using server = await startMisbehaving();
    const flow = await server.begin();
    const params = new URLSearchParams({
      code: 'code',
      state: new URL(flow.address.url).searchParams.get('state') ?? '',
      iss: server.origin,
    });
    change(params, server.origin);
    const page = await fetch(`${flow.address.redirectUri}?${params.toString()}`);
    return { status: page.status, outcome: flow.outcome, asked: server.asked };
  };

  test('with everything right signs in', async () => {
    const { status, outcome } = await returned(() => {});

    expect([status, outcome.status]).toEqual([200, 'signed_in']);
  });

  test('with another state changes nothing, and the sign-in still waits', async () => {
    const { status, outcome, asked } = await returned((params) => params.set('state', 'guess'));

    expect([status, outcome.status]).toEqual([400, 'waiting']);
    expect(asked).not.toContain('/token');
  });

  test.each([
    ['another issuer', (params: URLSearchParams) => params.set('iss', 'https://evil.example')],
    ['no issuer although one is announced', (params: URLSearchParams) => params.delete('iss')],
    ['an error', (params: URLSearchParams) => params.set('error', 'access_denied')],
  ])('with %s fails, and its code is not redeemed', async (_, change) => {
    const { status, outcome, asked } = await returned(change);

    expect([status, outcome.status]).toEqual([400, 'failed']);
    expect(asked).not.toContain('/token');
  });
});

describe('who PML is at an authorization server', () => {
  const metadata = { registration_endpoint: 'https://a.example/register' };
  const settings = { grant: 'authorization_code', allowPrivateAddresses: false } as const;
  const redirectUri = 'http://127.0.0.1:1/callback';
  const known = { clientId: 'old', redirectUri, origin: 'registered' } as const;
  const decide = (more: Json, changes: Json = {}, earlier?: typeof known) =>
    decideIdentity({ url: 'https://a.example', metadata: { ...metadata, ...changes } } as never, {
      settings: { ...settings, ...more },
      redirectUri,
      known: earlier,
    });
  const document = { clientMetadataUrl: 'https://me.example/client.json' };
  const supports = { client_id_metadata_document_supported: true };

  test('a configured client comes first, then a document, then an earlier registration', () => {
    const configured = decide({ clientId: 'mine', ...document }, supports, known);
    const described = decide(document, supports, known);
    const earlier = decide({}, {}, known);

    expect(configured).toMatchObject({ identity: { clientId: 'mine' } });
    expect(described).toMatchObject({ identity: { clientId: document.clientMetadataUrl } });
    expect(earlier).toMatchObject({ identity: { clientId: 'old' } });
  });

  test('PML registers itself where it can, and else says what to do', () => {
    expect(decide(document)).toEqual({ kind: 'register' });
    expect(decide({}, { registration_endpoint: undefined })).toMatchObject({ kind: 'refuse' });
  });
});
