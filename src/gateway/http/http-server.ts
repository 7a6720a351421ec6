import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  isInitializeRequest,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';

import {
  asJsonObject,
  isExchange,
  isJsonObject,
  isNamed,
  type JsonObject,
  type Logger,
  messageOf,
  PmlError,
  type Principal,
} from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import { MODERN_METHODS, readEnvelope } from '../eras/modern/modern.js';
import { depthFault } from '../session/assert-shallow.js';
import { listenFault } from '../session/client-capability.js';
import { Session } from '../session/session.js';
import type { Sessions } from '../session/sessions.js';
import { EventMemory } from './event-memory.js';
import { bearerOf, isUsersOwn, refuseAccess, withoutToken } from './http-access.js';
import { HttpBodies, MAX_BODY_BYTES } from './http-bodies.js';
import { HttpServerChannel } from './http-channel.js';
import { type BearerNames, challengeOf, METADATA_PATH, resourceDocument } from './http-identity.js';
import { HttpPresence } from './http-presence.js';
import {
  BAD_CLIENT_HEADER,
  exchangePrincipal,
  provenPrincipal,
  sessionPrincipal,
} from './http-principal.js';
import { fail, refuse, refuseBody, refuseMore, reply } from './http-replies.js';
import { isLoopback } from './loopback.js';
import { lostCallOf, tellLostCall } from './lost-call.js';
import { createStatelessHandler } from './modern-http.js';

const SESSION_IDLE_MS = 1_800_000;
/** Clients try twice to get their stream back; a new daemon should listen by then. */
const RETRY_MS = 2_000;

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** The current token. None only on loopback, where the user said so. */
  readonly token: () => string | undefined;
  readonly allowedHosts: readonly string[];
  /** Clients with tokens of their own. */
  readonly names?: BearerNames;
  readonly limits: {
    readonly httpClients: number;
    readonly httpRequests: number;
    readonly httpBodyBytes: number;
  };
  /** A client that left without notice expires after this time. */
  readonly sessionIdleMs?: number;
  readonly log: Logger;
}

/** Streamable HTTP for both eras: sessions for the older one, single exchanges for the newer. */
export class HttpServer implements AsyncDisposable {
  readonly #all: Sessions;
  readonly #options: HttpOptions;
  readonly #server: Server;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #presence: HttpPresence;
  readonly #bodies: HttpBodies;
  readonly #stateless: ReturnType<typeof createStatelessHandler>;
  readonly #hosts: string[];

  constructor(sessions: Sessions, options: HttpOptions) {
    const { host, token, limits, sessionIdleMs: idleMs = SESSION_IDLE_MS } = options;
    if (!isLoopback(host) && token() === undefined) {
      throw new PmlError(
        'CONFIG_INVALID',
        `http.host ${host} is reachable from outside, so http.token cannot be false: remove it, set a token (e.g. "\${PML_TOKEN}"), or use 127.0.0.1`,
      );
    }
    this.#all = sessions;
    this.#options = options;
    this.#presence = new HttpPresence({
      most: limits.httpClients,
      idleMs,
      now: () => performance.now(),
    });
    this.#bodies = new HttpBodies({ requests: limits.httpRequests, bytes: limits.httpBodyBytes });
    this.#stateless = createStatelessHandler(sessions);
    this.#hosts = [...localhostAllowedHostnames(), host, ...options.allowedHosts];
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        options.log.warn('HTTP request failed', { error: messageOf(error) });
        if (!response.headersSent) fail(response, 500, -32603, 'Internal server error');
        else response.destroy();
      });
    });
  }

  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) => reject(cannotListen(host, port, error)));
      this.#server.listen(port, host, resolve);
    });
    const address = this.#server.address() as AddressInfo;
    const shown = host.includes(':') ? `[${host}]` : host;
    return `http://${shown}:${address.port}/mcp`;
  }

  /** Pending calls. */
  get openRequests(): number {
    return this.#bodies.openRequests;
  }

  get sessionCount(): number {
    return this.#presence.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { transport } of this.#sessions.values()) await transport.close();
    this.#stateless.unwatch();
    await this.#stateless.handler.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuseAccess(request, this.#hosts);
    if (refusal) return refuse(request, response, { ...refusal, code: -32000 });
    const path = pathOf(request.url);
    if (path.startsWith(METADATA_PATH) && this.#describe(request, response)) return;
    const named = await this.#identify(request, response);
    if (named === 'refused') return;
    if (path === '/health') return reply(response, 200, { status: 'ok' });
    if (path !== '/mcp') return fail(response, 404, -32000, 'Not found; the endpoint is /mcp');
    const proven = named ?? provenPrincipal(request.headers);
    if (proven === 'invalid') return fail(response, 400, -32000, BAD_CLIENT_HEADER);
    if (request.method !== 'POST') {
      return this.#handleSession(request, response, { body: undefined, proven });
    }
    const body = await this.#bodies.read(request, response);
    if (body.kind !== 'json') return refuseBody(request, response, body.kind);
    await this.#post(request, response, { body: body.value, proven });
  }

  /** Where to get a token for this endpoint, for every client that asks. */
  #describe({ headers }: IncomingMessage, response: ServerResponse): boolean {
    const resource = this.#options.names?.resource();
    if (!resource) return false;
    reply(response, 200, resourceDocument(`http://${headers.host ?? ''}/mcp`, resource));
    return true;
  }

  /** The client that a token names; undefined for the user's own token. */
  async #identify(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Principal | undefined | 'refused'> {
    const { token, names } = this.#options;
    const bearer = bearerOf(request.headers.authorization);
    const verdict = bearer === '' ? undefined : await names?.identify(bearer);
    if (verdict?.kind === 'named') return verdict.principal;
    const lacking = verdict?.kind === 'lacks-scope' ? verdict.scopes : undefined;
    if (!lacking && isUsersOwn(bearer, token())) return undefined;
    const host = request.headers.host ?? '';
    const metadata = names?.resource() && `http://${host}${METADATA_PATH}/mcp`;
    response.setHeader('WWW-Authenticate', challengeOf(metadata, lacking));
    const why = lacking
      ? ({ status: 403, message: `The token lacks a scope: ${lacking.join(' ')}` } as const)
      : withoutToken();
    refuse(request, response, { ...why, code: -32000 });
    return 'refused';
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    { body, proven }: Posted,
  ): Promise<void> {
    const route = classifyInboundRequest({ httpMethod: 'POST', ...standardHeaders(request), body });
    if (route.kind === 'legacy') return this.#handleSession(request, response, { body, proven });
    const { method, params = {} } = isJsonObject(body) ? body : {};
    // The SDK serializes the body again, which fails for deeply nested values.
    const fault = depthFault(params);
    if (fault !== undefined) return fail(response, 400, -32602, fault, idOf(body));
    if (route.kind === 'modern' && typeof method === 'string' && isUnknown(method, body)) {
      return fail(response, 404, -32601, `Method not found: ${method}`, idOf(body));
    }
    const principal = proven ?? exchangePrincipal();
    const isListening = method === 'subscriptions/listen';
    const refusal = isListening && isJsonObject(params) && refusedListen(params);
    if (refusal) return reply(response, 400, { jsonrpc: '2.0', id: idOf(body), error: refusal });
    if (!this.#greet(principal, response, isListening)) return refuseMore(request, response);
    if (isListening) {
      this.#bodies.leaveOut(response);
      this.#subscribe(body as JsonObject, principal);
    }
    const handle = toNodeHandler({
      fetch: (one, options) => this.#stateless.fetch(principal, one, options),
    });
    await handle(request as Parameters<typeof handle>[0], response, body);
  }

  /** Counts a stateless client that PML keeps state for: it is identified, or it listens. */
  #greet(principal: Principal, response: ServerResponse, isListening: boolean): boolean {
    if (isExchange(principal) && !isListening) return true;
    if (!this.#presence.mayOpen(principal)) return false;
    if (!this.#presence.has(principal)) {
      if (!this.#presence.hasRoom()) return false;
      this.#presence.add(principal, () => this.#forget(principal));
    }
    this.#presence.touch(principal, response);
    if (isExchange(principal)) response.once('close', () => this.#forget(principal));
    return true;
  }

  /** Ends what belongs to a stateless client: its own servers, and its place in the queue. */
  #forget(principal: Principal): void {
    this.#presence.delete(principal);
    this.#all.workflows.clients.leave(principal);
    void this.#all.tools.pool.release(principal);
  }

  async #handleSession(
    request: IncomingMessage,
    response: ServerResponse,
    posted: Posted,
  ): Promise<void> {
    const { body } = posted;
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (session && isOfSame(session, posted.proven)) {
      const { transport, events } = session;
      this.#presence.touch(String(id), response);
      const call = idOf(body) ?? undefined;
      return events.during(call, () => transport.handleRequest(request, response, body));
    }
    if (id !== undefined) {
      const lost = lostCallOf(request);
      if (lost !== undefined) return tellLostCall(response, lost);
      return fail(response, 404, -32001, 'Session not found');
    }
    if (!isInitialize(body)) {
      return fail(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    }
    if (!this.#presence.hasRoom()) return refuseMore(request, response);
    await this.#open(request, response, posted);
  }

  async #open(
    request: IncomingMessage,
    response: ServerResponse,
    { body, proven }: Posted,
  ): Promise<void> {
    const id = randomUUID();
    const events = new EventMemory();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      retryInterval: RETRY_MS,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: () => {
        this.#sessions.set(id, { transport, events, owner: proven });
        this.#presence.add(id, () => {
          this.#leave(id);
          void transport.close();
        });
        this.#presence.touch(id, response);
      },
    });
    const session = new Session(this.#all, new HttpServerChannel(transport, events), {
      id,
      principal: proven ?? sessionPrincipal(id),
      onClose: () => this.#leave(id),
    });
    await transport.start();
    await transport.handleRequest(request, response, body);
    // The transport may have refused the request, for its headers say.
    if (!this.#sessions.has(id)) await session.close(new Error('the session was not opened'));
  }

  #leave(id: string): void {
    this.#presence.delete(id);
    this.#sessions.delete(id);
  }

  #subscribe(body: JsonObject, principal: Principal): void {
    const params = isJsonObject(body['params']) ? body['params'] : {};
    const filter = isJsonObject(params['notifications']) ? params['notifications'] : {};
    const uris = filter['resourceSubscriptions'];
    if (!Array.isArray(uris)) return;
    const caller: Caller = {
      session: principal,
      principal,
      user: principal,
      era: 'legacy',
      info: {},
      capabilities: {},
      ask: () => Promise.reject(new Error('no user to ask')),
      tell: () => {},
    };
    for (const uri of uris) this.#all.subscribe(String(uri), caller);
  }
}

interface HttpSession {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly events: EventMemory;
  /** The identity that the client proved when it began. */
  readonly owner: Principal | undefined;
}

/** No other client can use the session of a named client. */
function isOfSame({ owner }: HttpSession, proven: Principal | undefined): boolean {
  const named = [owner, proven].some((one) => one !== undefined && isNamed(one));
  return !named || owner === proven;
}

interface Posted {
  readonly body: unknown;
  /** The identity that the client proves. */
  readonly proven: Principal | undefined;
}

/** Without query; `//` is a path too, and no URL. */
function pathOf(url = '/'): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

function standardHeaders({ headers }: IncomingMessage) {
  const text = (value: string | string[] | undefined) =>
    typeof value === 'string' ? value : undefined;
  const version = text(headers['mcp-protocol-version']);
  const method = text(headers['mcp-method']);
  const name = text(headers['mcp-name']);
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  };
}

function idOf(body: unknown): string | number | null {
  const id = isJsonObject(body) ? body['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The SDK serves the request itself, and knows no tasks. */
function refusedListen(params: JsonObject): JsonObject | undefined {
  const fault = listenFault(params, readEnvelope(params)?.capabilities ?? {});
  return fault && asJsonObject(fault.body);
}

function isUnknown(method: string, body: unknown): boolean {
  const isRequest = isJsonObject(body) && body['id'] !== undefined;
  return isRequest && !MODERN_METHODS.has(method);
}

function isInitialize(body: unknown): boolean {
  return Array.isArray(body)
    ? body.some((one) => isInitializeRequest(one))
    : isInitializeRequest(body);
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): PmlError {
  const hint =
    cause.code === 'EADDRINUSE'
      ? `port ${port} is taken; set http.port in pml.json or use --port`
      : cause.message;
  return new PmlError('CONFIG_INVALID', `Cannot listen on ${host}:${port}: ${hint}`, { cause });
}
