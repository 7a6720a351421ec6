import { randomBytes } from 'node:crypto';

import { PmlError } from '../core/index.js';

export interface KeptText {
  readonly text: string;
  readonly mimeType: string;
}

/** Long results, kept in memory while there is room; the oldest go first. */
export class KeptResults {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, KeptText>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The handle is unguessable: knowing one is being allowed to read it. */
  keep(value: KeptText): string {
    const handle = `r_${randomBytes(9).toString('base64url')}`;
    this.#kept.set(handle, value);
    this.#bytes += value.text.length;
    for (const [oldest, { text }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes || oldest === handle) break;
      this.#kept.delete(oldest);
      this.#bytes -= text.length;
    }
    return handle;
  }

  get(handle: string): KeptText {
    const value = this.#kept.get(handle);
    if (value) return value;
    throw new PmlError(
      'RESULT_NOT_FOUND',
      `No result ${handle}: it was dropped to make room, or the daemon was restarted. Run the call again.`,
      { details: { handle } },
    );
  }
}
