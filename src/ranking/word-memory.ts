import { tokenize } from '../search/index.js';

/** A past request this much longer than usual must share more words to be as near. */
const USUAL_WORDS = 20;

/** Finds past requests by the words they share with a new one; rare words tell most. */
export class WordMemory {
  readonly #byTerm = new Map<string, Set<string>>();
  readonly #terms = new Map<string, readonly string[]>();

  add(id: string, text: string): void {
    this.remove(id);
    const terms = [...new Set(tokenize(text))];
    this.#terms.set(id, terms);
    for (const term of terms) {
      const holders = this.#byTerm.get(term) ?? new Set();
      this.#byTerm.set(term, holders.add(id));
    }
  }

  remove(id: string): void {
    for (const term of this.#terms.get(id) ?? []) {
      const holders = this.#byTerm.get(term);
      holders?.delete(id);
      if (holders?.size === 0) this.#byTerm.delete(term);
    }
    this.#terms.delete(id);
  }

  /** How much of the text each past request covers, in [0, 1]; as if those left out had never been. */
  overlaps(text: string, leftOut: ReadonlySet<string> = new Set()): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    let attainable = 0;
    for (const term of new Set(tokenize(text))) {
      const holders = this.#byTerm.get(term) ?? new Set();
      const weight = this.#weight(holders, leftOut);
      attainable += weight;
      for (const id of holders) {
        if (!leftOut.has(id)) sums.set(id, (sums.get(id) ?? 0) + weight);
      }
    }
    for (const [id, sum] of sums) {
      const length = this.#terms.get(id)?.length ?? 0;
      sums.set(id, sum / attainable / Math.sqrt(1 + length / USUAL_WORDS));
    }
    return sums;
  }

  #weight(holders: ReadonlySet<string>, leftOut: ReadonlySet<string>): number {
    let [held, all] = [holders.size, this.#terms.size];
    for (const id of leftOut) {
      if (holders.has(id)) held--;
      if (this.#terms.has(id)) all--;
    }
    return Math.log(1 + (all - held + 0.5) / (held + 0.5));
  }
}
