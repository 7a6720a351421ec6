import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { isAbsent, messageOf, PmlError } from '../../core/index.js';
import { parseServerJson, type ServerJson } from './server-json.js';

export const OFFICIAL_REGISTRY = 'https://registry.modelcontextprotocol.io';
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1_000_000;
const REGISTRY_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** What the user means by the word after `pml add`. */
export type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'registry'; readonly name: string; readonly version: string }
  /** A name of the user's own: the command or the address comes with it. */
  | { readonly kind: 'own'; readonly name: string };

/** `name@1.2.3` asks the registry for that version. */
export function sourceOf(word: string): Source {
  if (/^https?:\/\//i.test(word)) return { kind: 'url', url: word };
  if (/\.json$/i.test(word)) return { kind: 'file', path: word };
  const [, name = '', version = 'latest'] = /^([^@]+)(?:@(.+))?$/.exec(word) ?? [];
  if (REGISTRY_NAME.test(name)) return { kind: 'registry', name, version };
  return { kind: 'own', name: word };
}

export async function readServerJson(
  source: Exclude<Source, { readonly kind: 'own' }>,
  { cwd, registry }: { readonly cwd: string; readonly registry: string },
): Promise<ServerJson> {
  if (source.kind === 'file') {
    const path = resolve(cwd, source.path);
    return parseServerJson(await readLocal(path), path);
  }
  const url = source.kind === 'url' ? source.url : registryUrl(registry, source);
  return parseServerJson(await download(url, source), url);
}

function registryUrl(base: string, { name, version }: { name: string; version: string }): string {
  const path = `v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  return new URL(path, base.endsWith('/') ? base : `${base}/`).href;
}

async function readLocal(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (!isAbsent(cause)) throw cause;
    throw new PmlError('BAD_REQUEST', `${path} does not exist`, { cause });
  }
}

async function download(url: string, source: Source): Promise<string> {
  assertSafe(url);
  const response = await request(url);
  // A redirect must not leave the protected path.
  assertSafe(response.url || url);
  if (response.status === 404 && source.kind === 'registry') {
    throw new PmlError('BAD_REQUEST', `The registry knows no ${source.name} (${url})`);
  }
  if (!response.ok) throw new PmlError('BAD_REQUEST', `${url} answered ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new PmlError('BAD_REQUEST', `${url} is too long`);
  return text;
}

async function request(url: string): Promise<Response> {
  try {
    const headers = { accept: 'application/json' };
    return await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    throw new PmlError(
      'BAD_REQUEST',
      `${url} cannot be reached: ${messageOf(why)}. Download the server.json by other means and name the file, or give the command: pml add <name> -- <command>`,
      { cause },
    );
  }
}

/** What starts a program must not come over a line that others can change. */
function assertSafe(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLocal)) return;
  throw new PmlError('BAD_REQUEST', `${url}: only https:// is accepted, except on this machine`);
}
