import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type JsonObject, type Logger, messageOf, PmlError } from '../../core/index.js';
import type { EventHub } from '../live/event-hub.js';
import { SIGNED_IN_MS, type SignIns } from '../sign-ins.js';
import { cookieOf, refuseData, refuseForeign } from './access.js';
import { readBody } from './read-body.js';
import { setSecurityHeaders } from './security-headers.js';
import { isServed, servedParams } from './served-methods.js';
import { serveWebFile, type WebFiles } from './web-files.js';

/** Nothing else: what is served here is for the user of this machine. */
const LOOPBACK = '127.0.0.1';
const NO_STORE = { 'cache-control': 'no-store' };

export interface DashboardOptions {
  /** 0: the system chooses one. */
  readonly port: number;
  /** Distinguishes the cookie from those of other daemons: cookies do not know ports. */
  readonly name: string;
  readonly files: WebFiles;
  readonly signIns: SignIns;
  readonly hub: EventHub;
  /** Answers a method of the control contract. */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
  readonly log: Logger;
}

/**
 * The dashboard over HTTP: `/ui/…` is the page, `/api/…` its data. The page holds no data and is
 * served to every user of this machine; data only to a browser that signed in.
 */
export class DashboardServer implements AsyncDisposable {
  readonly #options: DashboardOptions;
  readonly #server: Server;
  #port = 0;

  constructor(options: DashboardOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        options.log.warn('dashboard request failed', { error: messageOf(error) });
        if (response.headersSent) response.destroy();
        else fail(response, 500, 'INTERNAL', 'Internal error');
      });
    });
  }

  get port(): number {
    return this.#port;
  }

  /** Without a token. */
  get address(): string {
    return `http://${LOOPBACK}:${this.#port}/ui/`;
  }

  async listen(): Promise<void> {
    const { port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(
          new PmlError(
            'CONFIG_INVALID',
            `Cannot serve the dashboard on ${LOOPBACK}:${port}: ${error.message}`,
            { cause: error },
          ),
        ),
      );
      this.#server.listen(port, LOOPBACK, resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#options.hub.disconnect();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response);
    const asked = { method: request.method ?? '', headers: request.headers };
    const foreign = refuseForeign(asked, this.#port);
    if (foreign !== undefined) return fail(response, 403, 'FORBIDDEN', foreign);
    // `//` is a path too, and no URL.
    const [pathname = '', query] = (request.url ?? '/').split('?', 2);
    if (pathname.startsWith('/api/')) {
      return this.#serveData(request, response, pathname.slice('/api/'.length));
    }
    if (asked.method !== 'GET' && asked.method !== 'HEAD') {
      return fail(response, 405, 'BAD_REQUEST', 'Use GET');
    }
    if (pathname === '/ui/sign-in' && asked.method === 'GET') {
      return this.#signIn(response, new URLSearchParams(query).get('token') ?? '');
    }
    if (pathname.startsWith('/ui/')) {
      const name = pathname.slice('/ui/'.length);
      return serveWebFile(this.#options.files, name, request, response);
    }
    if (pathname === '/' || pathname === '/ui') return redirect(response);
    fail(response, 404, 'BAD_REQUEST', 'Not found; the dashboard is at /ui/');
  }

  /** The token must not stay in the address, where history and screenshots show it. */
  #signIn(response: ServerResponse, token: string): void {
    const { signIns, name } = this.#options;
    const secret = signIns.redeem(token);
    if (secret === undefined) {
      response.writeHead(403, { ...NO_STORE, 'content-type': 'text/plain; charset=utf-8' });
      response.end('This address was used or is too old. Run: pml ui\n');
      return;
    }
    const age = Math.floor(SIGNED_IN_MS / 1000);
    const flags = `Path=/api/; HttpOnly; SameSite=Strict; Max-Age=${age}`;
    redirect(response, { 'set-cookie': `${name}=${secret}; ${flags}` });
  }

  async #serveData(
    request: IncomingMessage,
    response: ServerResponse,
    what: string,
  ): Promise<void> {
    const asked = { method: request.method ?? '', headers: request.headers };
    const foreign = refuseData(asked);
    if (foreign !== undefined) return fail(response, 403, 'FORBIDDEN', foreign);
    const secret = cookieOf(request.headers.cookie, this.#options.name);
    if (!this.#options.signIns.isSignedIn(secret)) {
      return fail(response, 401, 'UNAUTHORIZED', 'Sign in with: pml ui');
    }
    if (what === 'events') {
      if (asked.method !== 'GET') return fail(response, 405, 'BAD_REQUEST', 'Use GET');
      return this.#options.hub.attach(response, lastEventOf(request));
    }
    if (asked.method !== 'POST') return fail(response, 405, 'BAD_REQUEST', 'Use POST');
    if (what === 'sign-out') {
      this.#options.signIns.signOut(secret ?? '');
      return reply(response, 200, {});
    }
    await this.#answer(request, response, what);
  }

  async #answer(request: IncomingMessage, response: ServerResponse, method: string): Promise<void> {
    if (!isServed(method)) return fail(response, 404, 'BAD_REQUEST', `No method ${method} here`);
    const body = await readBody(request);
    if (!body.ok) return fail(response, body.status, 'BAD_REQUEST', body.message);
    try {
      reply(response, 200, await this.#options.ask(method, servedParams(method, body.value)));
    } catch (error) {
      if (!(error instanceof PmlError)) throw error;
      fail(response, 400, error.code, error.message);
    }
  }
}

function lastEventOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' ? id : undefined;
}

function redirect(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(303, { ...NO_STORE, ...headers, location: '/ui/' }).end();
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...NO_STORE, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Ends the connection where a body was not read: it must not be taken for the next request. */
function fail(response: ServerResponse, status: number, code: string, message: string): void {
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.req.resume();
  reply(response, status, { error: { code, message } });
}
