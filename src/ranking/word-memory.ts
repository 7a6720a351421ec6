import { tokenize } from '../search/index.js';

/** A past request this much longer than usual must share more words to be as near. */
const USUAL_WORDS = 20;

interface Entry {
  readonly id: string;
  readonly terms: readonly string[];
}

/** Finds past requests by the words they share with a new one; rare words tell most. */
export class WordMemory {
  readonly #byTerm = new Map<string, Set<number>>();
  /** Requests by number, so that sums over thousands of them need no lookups by text. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];

  add(id: string, text: string): void {
    this.remove(id);
    const terms = [...new Set(tokenize(text))];
    const number = this.#free.pop() ?? this.#entries.length;
    this.#entries[number] = { id, terms };
    this.#numbers.set(id, number);
    for (const term of terms) {
      const holders = this.#byTerm.get(term) ?? new Set();
      this.#byTerm.set(term, holders.add(number));
    }
  }

  remove(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    for (const term of this.#entries[number]!.terms) {
      const holders = this.#byTerm.get(term);
      holders?.delete(number);
      if (holders?.size === 0) this.#byTerm.delete(term);
    }
    this.#entries[number] = undefined;
    this.#numbers.delete(id);
    this.#free.push(number);
  }

  /** How much of the text each past request covers, in [0, 1]; as if those left out had never been. */
  overlaps(text: string, leftOut: ReadonlySet<string> = new Set()): ReadonlyMap<string, number> {
    const left = Array.from(leftOut, (id) => this.#numbers.get(id)).filter(
      (one) => one !== undefined,
    );
    const sums = new Float64Array(this.#entries.length);
    let attainable = 0;
    for (const term of new Set(tokenize(text))) {
      const holders = this.#byTerm.get(term);
      const held = (holders?.size ?? 0) - left.filter((number) => holders?.has(number)).length;
      const all = this.#numbers.size - left.length;
      const weight = Math.log(1 + (all - held + 0.5) / (held + 0.5));
      attainable += weight;
      for (const number of holders ?? []) sums[number]! += weight;
    }
    for (const number of left) sums[number] = 0;
    const shares = new Map<string, number>();
    sums.forEach((sum, number) => {
      if (sum === 0) return;
      const { id, terms } = this.#entries[number]!;
      shares.set(id, sum / attainable / Math.sqrt(1 + terms.length / USUAL_WORDS));
    });
    return shares;
  }
}
