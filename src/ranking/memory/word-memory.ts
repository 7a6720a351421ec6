import { tokenize } from '../../words/index.js';
import { Numbers } from './numbers.js';

/** A past request this much longer than usual must share more words to be as near. */
const USUAL_WORDS = 20;

/**
 * Finds past requests by the words they share with a new one; rare words tell most. Requests and words
 * go by numbers, so that sums over thousands of requests need no lookups by text, and a word that
 * thousands of requests have is held once.
 */
export class WordMemory {
  readonly #words = new Numbers();
  readonly #wordAt: string[] = [];
  /** The requests with each word, those added first mostly first; of a word with one request that one. */
  readonly #holders: (number | number[])[] = [];
  readonly #terms: (readonly number[] | undefined)[] = [];
  /** What the share of each is divided by. */
  readonly #lengths: number[] = [];
  #size = 0;

  /** The number of no other request that is held. */
  add(request: number, text: string): void {
    this.remove(request);
    const terms = Array.from(new Set(tokenize(text)), (term) => this.#take(term, request));
    this.#terms[request] = terms;
    this.#lengths[request] = Math.sqrt(1 + terms.length / USUAL_WORDS);
    this.#size += 1;
  }

  remove(request: number): void {
    const terms = this.#terms[request];
    if (!terms) return;
    for (const term of terms) {
      const holders = this.#holders[term];
      if (Array.isArray(holders)) holders.splice(holders.indexOf(request), 1);
      this.#words.letGo(this.#wordAt[term]!);
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
      const number = this.#words.get(term);
      const holders = this.#holdersOf(number);
      // The words of a request are few, and a word may have thousands of requests.
      const isHolder = (one: number) => number !== undefined && this.#terms[one]!.includes(number);
      const held = holders.length - leftOut.filter(isHolder).length;
      const weight = Math.log(1 + (all - held + 0.5) / (held + 0.5));
      attainable += weight;
      for (const request of holders) shares[request]! += weight;
    }
    for (const request of leftOut) shares[request] = 0;
    for (let request = 0; request < shares.length; request++) {
      const sum = shares[request]!;
      if (sum > 0) shares[request] = sum / attainable / this.#lengths[request]!;
    }
    return shares;
  }

  #take(word: string, request: number): number {
    const isNew = this.#words.get(word) === undefined;
    const term = this.#words.take(word);
    const holders = this.#holders[term];
    if (isNew) {
      this.#wordAt[term] = word;
      this.#holders[term] = request;
    } else if (Array.isArray(holders)) holders.push(request);
    else this.#holders[term] = [holders!, request];
    return term;
  }

  #holdersOf(term: number | undefined): readonly number[] {
    const holders = term === undefined ? [] : this.#holders[term]!;
    return Array.isArray(holders) ? holders : [holders];
  }
}
