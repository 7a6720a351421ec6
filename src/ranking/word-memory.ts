import { tokenize } from '../search/index.js';

/** A past request this much longer than usual must share more words to be as near. */
const USUAL_WORDS = 20;

/**
 * Finds past requests by the words they share with a new one; rare words tell most. Requests go by
 * numbers, so that sums over thousands of them need no lookups by text.
 */
export class WordMemory {
  readonly #byTerm = new Map<string, Set<number>>();
  readonly #terms: (readonly string[] | undefined)[] = [];
  /** What the share of each is divided by. */
  readonly #lengths: number[] = [];
  #size = 0;

  /** The number of no other request that is held. */
  add(request: number, text: string): void {
    this.remove(request);
    const terms = [...new Set(tokenize(text))];
    this.#terms[request] = terms;
    this.#lengths[request] = Math.sqrt(1 + terms.length / USUAL_WORDS);
    this.#size += 1;
    for (const term of terms) {
      const holders = this.#byTerm.get(term) ?? new Set();
      this.#byTerm.set(term, holders.add(request));
    }
  }

  remove(request: number): void {
    const terms = this.#terms[request];
    if (!terms) return;
    for (const term of terms) {
      const holders = this.#byTerm.get(term);
      holders?.delete(request);
      if (holders?.size === 0) this.#byTerm.delete(term);
    }
    this.#terms[request] = undefined;
    this.#size -= 1;
  }

  /**
   * How much of the text each past request covers, in [0, 1], by its number; as if those left out,
   * which must be held, had never been.
   */
  overlaps(text: string, leftOut: readonly number[] = []): Float64Array {
    const shares = new Float64Array(this.#terms.length);
    const all = this.#size - leftOut.length;
    let attainable = 0;
    for (const term of new Set(tokenize(text))) {
      const holders = this.#byTerm.get(term);
      const held = (holders?.size ?? 0) - leftOut.filter((one) => holders?.has(one)).length;
      const weight = Math.log(1 + (all - held + 0.5) / (held + 0.5));
      attainable += weight;
      for (const request of holders ?? []) shares[request]! += weight;
    }
    for (const request of leftOut) shares[request] = 0;
    for (let request = 0; request < shares.length; request++) {
      const sum = shares[request]!;
      if (sum > 0) shares[request] = sum / attainable / this.#lengths[request]!;
    }
    return shares;
  }
}
