import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Body, MAX_BODY_BYTES } from './http-bodies.js';

const BUSY_RETRY_SECONDS = '5';

export function refuseMore(request: IncomingMessage, response: ServerResponse): void {
  const message =
    'Too many clients (limits.httpClients): end a session with DELETE, or try again later';
  refuse(request, response, { status: 503, code: -32000, message });
}

export function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  kind: Exclude<Body['kind'], 'json'>,
): void {
  refuse(request, response, BODY_REFUSALS[kind]);
}

const BODY_REFUSALS = {
  'not-json': { status: 400, code: -32700, message: 'Parse error: the body is not JSON' },
  'cut-short': { status: 400, code: -32700, message: 'Parse error: the body is cut short' },
  'too-large': {
    status: 413,
    code: -32000,
    message: `The request is too large: a body may have ${MAX_BODY_BYTES} bytes`,
  },
  'too-many': {
    status: 503,
    code: -32000,
    message: 'Too many requests at the same time (limits.httpRequests): try again later',
  },
  'no-room': {
    status: 503,
    code: -32000,
    message: 'The requests at hand are too large together (limits.httpBodyBytes): try again later',
  },
} as const;

interface Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Ends the connection: what the client still sends must be neither kept nor taken for a request. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: Refused,
): void {
  if (status === 503) response.setHeader('Retry-After', BUSY_RETRY_SECONDS);
  if (!request.complete) response.setHeader('Connection', 'close');
  request.resume();
  fail(response, status, code, message);
}

export function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

export function fail(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  reply(response, status, { jsonrpc: '2.0', id, error: { code, message } });
}
