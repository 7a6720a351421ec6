import type { IncomingMessage } from 'node:http';

import { isJsonObject, type JsonObject } from '../../core/index.js';

const MOST_BYTES = 1_000_000;

export type ReadBody =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly message: string };

/** The JSON object that a page sends. */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\b/i.test(type)) {
    return { ok: false, status: 415, message: 'Send JSON' };
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return { ok: false, status: 413, message: 'The request is too large' };
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}');
    if (isJsonObject(value)) return { ok: true, value };
  } catch {
    // Said below, as for JSON that is no object.
  }
  return { ok: false, status: 400, message: 'The body is not a JSON object' };
}
