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
  const text = await collect(request);
  if (text === undefined) return { ok: false, status: 413, message: 'The request is too large' };
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (isJsonObject(value)) return { ok: true, value };
  } catch {
    // Reported below, as for JSON that is no object.
  }
  return { ok: false, status: 400, message: 'The body is not a JSON object' };
}

/** Nothing if it is too long. `for await` would close the connection before the refusal is read. */
function collect(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const onData = (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= MOST_BYTES) return;
      request.off('data', onData);
      resolve(undefined);
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    // The client is gone and reads no answer.
    request.once('close', () => resolve(undefined));
  });
}
