import type { IncomingMessage, ServerResponse } from 'node:http';

/** The longest body of one request. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface BodyLimits {
  /** Maximum number of requests that are read or answered at the same time. */
  readonly requests: number;
  /** What their bodies may take together. */
  readonly bytes: number;
}

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not-json' | 'too-large' | 'too-many' | 'no-room' | 'cut-short' };

/** Reads request bodies. A parsed body counts against the limit until its request is answered. */
export class HttpBodies {
  readonly #limits: BodyLimits;
  #requests = 0;
  #bytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Requests that are not answered yet. */
  get openRequests(): number {
    return this.#requests;
  }

  async read(request: IncomingMessage, response: ServerResponse): Promise<Body> {
    if (this.#requests >= this.#limits.requests) return { kind: 'too-many' };
    this.#requests++;
    const held = { bytes: 0 };
    response.once('close', () => {
      this.#requests--;
      this.#bytes -= held.bytes;
    });
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > MAX_BODY_BYTES) return { kind: 'too-large' };
    if (this.#bytes + announced > this.#limits.bytes) return { kind: 'no-room' };
    return this.#collect(request, held);
  }

  /** A request that stays open for as long as its client likes does not count as pending. */
  leaveOut(response: ServerResponse): void {
    this.#requests--;
    response.once('close', () => this.#requests++);
  }

  /** Not `for await`: leaving it would cut the connection before the client reads the refusal. */
  #collect(request: IncomingMessage, held: { bytes: number }): Promise<Body> {
    const parts: Buffer[] = [];
    return new Promise((resolve) => {
      const refuse = (kind: 'too-large' | 'no-room') => {
        request.off('data', onData);
        parts.length = 0;
        resolve({ kind });
      };
      const onData = (part: Buffer) => {
        held.bytes += part.length;
        this.#bytes += part.length;
        parts.push(part);
        if (held.bytes > MAX_BODY_BYTES) refuse('too-large');
        else if (this.#bytes > this.#limits.bytes) refuse('no-room');
      };
      request.on('data', onData);
      request.once('end', () => resolve(parse(parts)));
      request.once('error', () => resolve({ kind: 'cut-short' }));
      request.once('close', () => resolve({ kind: 'cut-short' }));
    });
  }
}

function parse(parts: readonly Buffer[]): Body {
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown };
  } catch {
    return { kind: 'not-json' };
  }
}
