/** A remote MCP server behind the certified `oidc-provider`, both on loopback, and its person. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  fromJsonSchema,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
import { Provider } from 'oidc-provider';

import { type OAuthSettings, type RemoteSpec, serverName } from '../../src/core/index.js';

export interface OAuthWorldOptions {
  /** Of an access token, in seconds. */
  readonly tokenSeconds?: number;
  /** `modern`: the server speaks 2026-07-28 alone. */
  readonly era?: 'both' | 'modern';
  /** Needed by the tool `write`, besides what every call needs. */
  readonly writeScope?: string;
  /** Whether the authorization server revokes tokens (RFC 7009). Default: it does. */
  readonly revokes?: boolean;
  /** Registered by hand. */
  readonly clients?: readonly Record<string, unknown>[];
}

export interface OAuthWorld extends AsyncDisposable {
  readonly url: string;
  readonly issuer: string;
  /** How many token requests there were, by grant type. */
  readonly tokenRequests: ReadonlyMap<string, number>;
  /** Every token that was ever issued. */
  readonly issued: ReadonlySet<string>;
  readonly calls: number;
  /** From now on the server refuses every access token issued so far. */
  expireAll(): void;
  /** The authorization server forgets every grant. */
  revokeAll(): void;
  /** Called with each access token that the server sees for the first time, before it answers. */
  onNewToken: ((token: string) => Promise<void> | void) | undefined;
  /** The status that requests for revocation are answered with, if they are to fail. */
  failRevocation: number | undefined;
  /** Whether the authorization server still accepts a token. */
  isValid(token: string): Promise<boolean>;
  /** Answers token requests instead of the authorization server; undefined lets it answer. */
  failTokens:
    | ((grant: string) => { readonly status: number; readonly body: string } | undefined)
    | undefined;
}

export async function startOAuthWorld(options: OAuthWorldOptions = {}): Promise<OAuthWorld> {
  const { tokenSeconds = 3_600 } = options;
  const mcp = createServer();
  const url = `${await listen(mcp)}/mcp`;
  const authorization = createServer();
  const issuer = await listen(authorization);
  const { clients = [], revokes = true } = options;
  const provider = createProvider(issuer, { url, tokenSeconds, clients, revokes });

  const issued = new Set<string>();
  const seen = new Set<string>();
  const refused = new Set<string>();
  const tokenRequests = new Map<string, number>();
  const world = {
    url,
    issuer,
    issued,
    tokenRequests,
    calls: 0,
    onNewToken: undefined as OAuthWorld['onNewToken'],
    failTokens: undefined as OAuthWorld['failTokens'],
    failRevocation: undefined as OAuthWorld['failRevocation'],
    isValid: async (token: string) =>
      ((await provider.RefreshToken.find(token)) ?? (await provider.AccessToken.find(token))) !==
      undefined,
    expireAll: () => issued.forEach((token) => refused.add(token)),
    revokeAll: () => {
      isRevoked = true;
    },
    async [Symbol.asyncDispose]() {
      for (const server of [mcp, authorization]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  let isRevoked = false;

  provider.use(async (context, next) => {
    const isToken = context.path === '/token' && context.method === 'POST';
    await next();
    if (!isToken) return;
    const body = context.body as Record<string, unknown> | undefined;
    for (const name of ['access_token', 'refresh_token', 'id_token']) {
      const token = body?.[name];
      if (typeof token === 'string') issued.add(token);
    }
  });
  const answer = provider.callback();
  authorization.on('request', (request, response) => {
    if (request.url?.startsWith('/token/revocation')) {
      const failure = world.failRevocation;
      if (failure === undefined) return void answer(request, response);
      return void response.writeHead(failure).end('<html>not now</html>');
    }
    if (!request.url?.startsWith('/token')) return void answer(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const grant = new URLSearchParams(body).get('grant_type') ?? '';
      tokenRequests.set(grant, (tokenRequests.get(grant) ?? 0) + 1);
      const failure =
        world.failTokens?.(grant) ??
        (isRevoked && grant === 'refresh_token'
          ? { status: 400, body: '{"error":"invalid_grant"}' }
          : undefined);
      if (failure) {
        const type = failure.body.startsWith('{') ? 'application/json' : 'text/html';
        return response.writeHead(failure.status, { 'content-type': type }).end(failure.body);
      }
      // Read already: the provider takes it from here.
      Object.assign(request, { body: Object.fromEntries(new URLSearchParams(body)) });
      return void answer(request, response);
    });
  });

  const metadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(url));
  const gate = requireBearerAuth({
    resourceMetadataUrl: metadataUrl,
    requiredScopes: ['mcp:read'],
    verifier: {
      async verifyAccessToken(token) {
        const found =
          (await provider.AccessToken.find(token)) ??
          (await provider.ClientCredentials.find(token));
        if (!found || refused.has(token)) {
          throw new OAuthError(OAuthErrorCode.InvalidToken, 'expired or unknown');
        }
        if (!seen.has(token)) {
          seen.add(token);
          await world.onNewToken?.(token);
        }
        return {
          token,
          clientId: found.clientId ?? '',
          scopes: [...found.scopes],
          expiresAt: found.exp ?? Math.floor(Date.now() / 1_000) + 60,
        };
      },
    },
  });
  const handler = createMcpHandler(() => notesServer(world), {
    legacy: options.era === 'modern' ? 'reject' : 'stateless',
  });
  const handle = toNodeHandler({
    async fetch(request: Request) {
      const { pathname } = new URL(request.url);
      if (pathname === new URL(metadataUrl).pathname) {
        return Response.json({
          resource: url,
          authorization_servers: [issuer],
          scopes_supported: ['mcp:read'],
        });
      }
      if (pathname !== '/mcp') return new Response('not here', { status: 404 });
      const auth = await gate(request);
      if (auth instanceof Response) return auth;
      const text = await request.clone().text();
      const needed = options.writeScope;
      if (needed && /"name":"write"/.test(text) && !auth.scopes.includes(needed)) {
        const challenge = `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${metadataUrl}"`;
        return new Response('more', { status: 403, headers: { 'www-authenticate': challenge } });
      }
      return handler.fetch(request, { authInfo: auth });
    },
  });
  // A request that arrived has a method, whatever its type says.
  mcp.on('request', (request, response) => void handle(request as never, response));
  return world;
}

function notesServer(world: { calls: number }): McpServer {
  const server = new McpServer({ name: 'notes', version: '1' });
  const inputSchema = fromJsonSchema<{ text?: string }>({
    type: 'object',
    properties: { text: { type: 'string' } },
  });
  const read = { description: 'Reads a note', inputSchema, annotations: { readOnlyHint: true } };
  server.registerTool('read', read, async ({ text }) => {
    world.calls++;
    return { content: [{ type: 'text', text: `read ${text ?? ''}` }] };
  });
  server.registerTool('write', { description: 'Writes a note', inputSchema }, async ({ text }) => {
    world.calls++;
    return { content: [{ type: 'text', text: `written ${text ?? ''}` }] };
  });
  return server;
}

interface ProviderSettings {
  readonly url: string;
  readonly tokenSeconds: number;
  readonly clients: readonly Record<string, unknown>[];
  readonly revokes: boolean;
}

function createProvider(
  issuer: string,
  { url, tokenSeconds, clients, revokes }: ProviderSettings,
): Provider {
  const resourceServer = {
    scope: 'mcp:read mcp:write',
    audience: url,
    accessTokenFormat: 'opaque',
    accessTokenTTL: tokenSeconds,
  } as const;
  const provider = new Provider(issuer, {
    clients: [...clients],
    scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    features: {
      registration: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: revokes },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer,
      },
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
    ttl: { AccessToken: tokenSeconds, ClientCredentials: tokenSeconds, RefreshToken: 86_400 },
  });
  provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`));
  return provider;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A person with a browser: signs in, consents, and returns the address it ends at. */
export async function signInAsPerson(
  address: string,
  { follow = true }: { readonly follow?: boolean } = {},
): Promise<string> {
  const origin = new URL(address).origin;
  const cookies = new Map<string, string>();
  let next: { url: string; body?: URLSearchParams } = { url: address };
  for (let step = 0; step < 20; step++) {
    const response = await fetch(next.url, {
      method: next.body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.body && { body: next.body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      const target = new URL(location, next.url);
      if (target.origin !== origin) {
        if (follow) await fetch(target);
        return target.href;
      }
      next = { url: target.href };
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) return page;
    const body = new URLSearchParams();
    for (const [, name = '', value = ''] of page.matchAll(
      /name="([^"]+)"(?:[^>]*value="([^"]*)")?/g,
    )) {
      body.set(name, name === 'login' ? 'ada' : name === 'password' ? 'pw' : value);
    }
    next = { url: new URL(action, next.url).href, body };
  }
  throw new Error('the sign-in does not end');
}

/** The configuration of a server `notes` at the address. */
export function specBehindOAuth(url: string, oauth?: Partial<OAuthSettings>): RemoteSpec {
  return {
    kind: 'http',
    name: serverName('notes'),
    url,
    headers: {},
    ...(oauth && {
      oauth: { grant: 'authorization_code', allowPrivateAddresses: false, ...oauth },
    }),
    toolsAllow: undefined,
    toolsDeny: [],
    timeoutMs: undefined,
    maxConcurrency: undefined,
    isolation: 'shared',
    start: undefined,
    configHash: '',
  };
}
