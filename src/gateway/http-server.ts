import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  isInitializeRequest,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

import { isJsonObject, type JsonObject, type Logger, messageOf, PmlError } from '../core/index.js';
import { EventMemory } from './event-memory.js';
import type { Gateway } from './gateway.js';
import { HttpServerChannel } from './http-channel.js';
import { createStatelessHandler } from './modern-http.js';
import { MODERN_METHODS } from './modern.js';
import { Session } from './session.js';

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const SESSION_IDLE_MS = 1_800_000;
const RETRY_MS = 500;

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly allowedHosts: readonly string[];
  /** A client that went away without a word is forgotten after this time. */
  readonly sessionIdleMs?: number;
  readonly log: Logger;
}

interface HttpSession {
  readonly transport: NodeStreamableHTTPServerTransport;
  /** Requests and event streams that are open now. */
  openCount: number;
  timer: NodeJS.Timeout | undefined;
}

/** Streamable HTTP for both eras: sessions for the older one, single exchanges for the newer. */
export class HttpServer implements AsyncDisposable {
  readonly #gateway: Gateway;
  readonly #options: HttpOptions;
  readonly #server: Server;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #stateless: ReturnType<typeof createStatelessHandler>;
  readonly #hosts: string[];
  #openRequests = 0;

  constructor(gateway: Gateway, options: HttpOptions) {
    if (!isLoopback(options.host) && options.token === undefined) {
      throw new PmlError(
        'CONFIG_INVALID',
        `http.host ${options.host} is reachable from outside: set http.token (e.g. "\${PML_TOKEN}") or use 127.0.0.1`,
      );
    }
    this.#gateway = gateway;
    this.#options = options;
    this.#stateless = createStatelessHandler(gateway);
    this.#hosts = [...localhostAllowedHostnames(), options.host, ...options.allowedHosts];
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

  /** Calls that are not answered yet. */
  get openRequests(): number {
    return this.#openRequests;
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { transport, timer } of this.#sessions.values()) {
      clearTimeout(timer);
      await transport.close();
    }
    this.#stateless.unwatch();
    await this.#stateless.handler.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isAllowed(request, response)) return;
    const path = new URL(request.url ?? '/', 'http://local').pathname;
    if (path === '/health') return reply(response, 200, { status: 'ok' });
    if (path !== '/mcp') return fail(response, 404, -32000, 'Not found; the endpoint is /mcp');
    if (request.method !== 'POST') return this.#handleSession(request, response, undefined);

    this.#openRequests++;
    response.once('close', () => this.#openRequests--);
    const body = await readBody(request);
    if (body === 'too large') return fail(response, 413, -32000, 'The request is too large');
    if (body === undefined) return fail(response, 400, -32700, 'Parse error: the body is not JSON');
    const route = classifyInboundRequest({ httpMethod: 'POST', ...standardHeaders(request), body });
    if (route.kind === 'legacy') return this.#handleSession(request, response, body);
    const method = isJsonObject(body) ? body['method'] : undefined;
    if (route.kind === 'modern' && typeof method === 'string' && isUnknown(method, body)) {
      const id = (body as { id?: string | number }).id ?? null;
      return fail(response, 404, -32601, `Method not found: ${method}`, id);
    }
    if (method === 'subscriptions/listen') {
      // Stays open for as long as the client likes; nobody waits for it.
      this.#openRequests--;
      response.once('close', () => this.#openRequests++);
      this.#subscribe(body as JsonObject);
    }
    const handle = toNodeHandler(this.#stateless.handler);
    await handle(request as Parameters<typeof handle>[0], response, body);
  }

  #isAllowed(request: IncomingMessage, response: ServerResponse): boolean {
    const { token } = this.#options;
    const host = validateHostHeader(request.headers.host, this.#hosts);
    const origin = validateOriginHeader(request.headers.origin, this.#hosts);
    if (!host.ok || !origin.ok) {
      fail(response, 403, -32000, host.ok ? 'Origin not allowed' : 'Host not allowed');
      return false;
    }
    if (token !== undefined && !isSameSecret(request.headers.authorization, `Bearer ${token}`)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      fail(response, 401, -32000, 'Missing or wrong bearer token');
      return false;
    }
    return true;
  }

  async #handleSession(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (session) {
      this.#touch(session, response);
      return session.transport.handleRequest(request, response, body);
    }
    if (id !== undefined) return fail(response, 404, -32001, 'Session not found');
    if (!isInitialize(body)) {
      return fail(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    }
    await this.#open(request, response, body);
  }

  async #open(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = randomUUID();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventMemory(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: () => {
        const opened: HttpSession = { transport, openCount: 0, timer: undefined };
        this.#sessions.set(id, opened);
        this.#touch(opened, response);
      },
    });
    const session = new Session(this.#gateway, new HttpServerChannel(transport), {
      id,
      onClose: () => {
        clearTimeout(this.#sessions.get(id)?.timer);
        this.#sessions.delete(id);
      },
    });
    await transport.start();
    await transport.handleRequest(request, response, body);
    // The transport may have refused the request, for its headers say.
    if (!this.#sessions.has(id)) await session.close(new Error('the session was not opened'));
  }

  /** The time without a client runs only while no request and no event stream is open. */
  #touch(session: HttpSession, response: ServerResponse): void {
    const { sessionIdleMs = SESSION_IDLE_MS } = this.#options;
    session.openCount++;
    clearTimeout(session.timer);
    response.once('close', () => {
      session.openCount--;
      if (session.openCount > 0 || !this.#sessions.has(session.transport.sessionId ?? '')) return;
      session.timer = setTimeout(() => void session.transport.close(), sessionIdleMs);
      session.timer.unref();
    });
  }

  #subscribe(body: JsonObject): void {
    const params = isJsonObject(body['params']) ? body['params'] : {};
    const filter = isJsonObject(params['notifications']) ? params['notifications'] : {};
    const uris = filter['resourceSubscriptions'];
    if (!Array.isArray(uris)) return;
    const caller = {
      session: 'http-stateless',
      user: 'http-stateless',
      era: 'legacy',
      info: {},
      capabilities: {},
    } as const;
    const nobody = { ask: () => Promise.reject(new Error('nobody to ask')), tell: () => {} };
    for (const uri of uris) this.#gateway.subscribe(String(uri), { ...caller, ...nobody });
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return 'too large';
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    return undefined; // Answered by the caller as a parse error.
  }
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

function isUnknown(method: string, body: unknown): boolean {
  const isRequest = isJsonObject(body) && body['id'] !== undefined;
  return isRequest && !MODERN_METHODS.has(method);
}

function isInitialize(body: unknown): boolean {
  return Array.isArray(body)
    ? body.some((one) => isInitializeRequest(one))
    : isInitializeRequest(body);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function isSameSecret(given: string | undefined, wanted: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function fail(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  reply(response, status, { jsonrpc: '2.0', id, error: { code, message } });
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): PmlError {
  const hint =
    cause.code === 'EADDRINUSE'
      ? `port ${port} is taken; set http.port in pml.json or use --port`
      : cause.message;
  return new PmlError('CONFIG_INVALID', `Cannot listen on ${host}:${port}: ${hint}`, { cause });
}
