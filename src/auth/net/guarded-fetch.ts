/**
 * `fetch` for addresses that a server names: where it keeps its metadata, where tokens are issued.
 * A server could name an address that only this machine reaches and have PML send requests there.
 *
 * Invariants:
 * - PML connects only to the addresses it has checked: a name that resolves to another address a
 *   moment later gains nothing.
 * - Plain http only to this machine.
 * - No redirect is followed here, and no answer is longer than a megabyte.
 */
import { lookup as resolveName } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { messageOf, PmlError } from '../../core/index.js';
import { type AddressKind, addressKind } from './address-kind.js';

const MOST_BYTES = 1_000_000;
const PATIENCE_MS = 15_000;
/** Answers with such a status have no body, and `Response` refuses one. */
const BODYLESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface Resolved {
  readonly address: string;
  readonly family: number;
}

export interface GuardOptions {
  /** The remote server on whose behalf PML fetches: where it is itself, its addresses may be too. */
  readonly serverUrl: string;
  readonly allowPrivateAddresses: boolean;
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>;
}

export function guardedFetch(options: GuardOptions): Fetch {
  const { resolve = resolveAll } = options;
  const allowed = async () => (await addressesOf(new URL(options.serverUrl), resolve)).map(kindOf);
  return async (address, init) => {
    const url = new URL(address);
    const found = await addressesOf(url, resolve);
    const kinds = new Set(found.map(kindOf));
    assertEncrypted(url, kinds);
    const isPublic = [...kinds].every((kind) => kind === 'public');
    if (!isPublic && !options.allowPrivateAddresses) assertNear(url, kinds, await allowed());
    return send(url, init ?? {}, found);
  };
}

function kindOf({ address }: Resolved): AddressKind {
  return addressKind(address);
}

async function addressesOf(
  url: URL,
  resolve: NonNullable<GuardOptions['resolve']>,
): Promise<readonly Resolved[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version !== 0) return [{ address: host, family: version }];
  try {
    return await resolve(host);
  } catch (error) {
    throw new PmlError('SIGN_IN_FAILED', `The host ${host} is unknown: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function resolveAll(host: string): Promise<readonly Resolved[]> {
  return resolveName(host, { all: true });
}

function assertEncrypted(url: URL, kinds: ReadonlySet<AddressKind>): void {
  if (url.protocol === 'https:') return;
  const isHere = url.protocol === 'http:' && [...kinds].every((kind) => kind === 'loopback');
  if (isHere) return;
  throw refused(url, 'only https is used there, except on this machine');
}

function assertNear(
  url: URL,
  kinds: ReadonlySet<AddressKind>,
  allowed: readonly AddressKind[],
): void {
  const far = [...kinds].find((kind) => kind !== 'public' && !allowed.includes(kind));
  if (far === undefined) return;
  throw refused(
    url,
    `it leads to a ${far} address, and the server is elsewhere. If that is right, set oauth.allowPrivateAddresses of this server`,
  );
}

function refused(url: URL, why: string): PmlError {
  return new PmlError('SIGN_IN_FAILED', `PML does not ask ${url.origin}: ${why}`);
}

async function send(url: URL, init: RequestInit, found: readonly Resolved[]): Promise<Response> {
  const signal = AbortSignal.any([
    AbortSignal.timeout(PATIENCE_MS),
    ...(init.signal ? [init.signal] : []),
  ]);
  const body = init.body === undefined || init.body === null ? undefined : bodyText(init.body);
  const headers = Object.fromEntries(new Headers(init.headers));
  if (init.body instanceof URLSearchParams) {
    headers['content-type'] ??= 'application/x-www-form-urlencoded';
  }
  const ask = url.protocol === 'https:' ? requestHttps : requestHttp;
  const answer = await new Promise<IncomingMessage>((onAnswer, onError) => {
    const sent = ask(url, {
      method: init.method ?? 'GET',
      headers,
      signal,
      lookup: pinned(found),
    });
    sent.on('response', onAnswer).on('error', onError);
    sent.end(body);
  }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  return toResponse(url, answer);
}

/** Answers the socket with the checked addresses, whatever the name resolves to by now. */
function pinned(found: readonly Resolved[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = found;
    if (!first) return callback(new Error('no address'), '', 0);
    if (options.all) return callback(null, [...found]);
    callback(null, first.address, first.family);
  };
}

function bodyText(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('the body of a request about tokens is a text');
}

async function toResponse(url: URL, answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > MOST_BYTES) throw new Error('the answer is longer than a megabyte');
      chunks.push(bytes);
    }
  } catch (error) {
    throw unreachable(url, error);
  }
  const status = answer.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const body = BODYLESS.has(status) ? null : Buffer.concat(chunks);
  return new Response(body, { status, statusText: answer.statusMessage ?? '', headers });
}

function unreachable(url: URL, cause: unknown): PmlError {
  const text = `The authorization server at ${url.origin} does not answer: ${messageOf(cause)}`;
  return new PmlError('SIGN_IN_FAILED', text, { cause, details: { isUnreachable: true } });
}
