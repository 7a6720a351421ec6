import { createPackedIndex, type VectorIndex } from '../../search/index.js';
import type { PastIntent, Question } from '../question.js';
import type { Spread } from '../spread.js';
import { NeedMemory } from './need-memory.js';
import { NO_MEMORY, type Recall, recallFrom, type RecallParts } from './recall.js';
import { RequestMemory } from './request-memory.js';

export interface RecallOptions {
  /** Leaves out a group, to see how the rest would have answered it. */
  readonly withoutGroup?: string;
  /** The same for single requests, by id. */
  readonly without?: readonly string[];
  /** How alike the question is to texts that have nothing to do with it. */
  readonly unrelated?: Spread | undefined;
}

export interface IntentMemoryOptions {
  readonly dimension: number;
  readonly capacity?: number;
  /** Requests that are held already, for this memory to give vectors to. Default: its own. */
  readonly requests?: RequestMemory;
}

/**
 * Past requests and what served them: the strongest hint there is where work recurs. Each vector is
 * held once, in the matrix it is compared in.
 */
export class IntentMemory implements Disposable {
  readonly #requests: RequestMemory;
  readonly #vectors: VectorIndex<string>;
  readonly #needs: NeedMemory;
  readonly #stopListening: () => void;
  /** Which request each row of the vectors is of, until that changes. */
  #byRow: Int32Array | undefined;

  constructor({ dimension, capacity = 20_000, requests }: IntentMemoryOptions) {
    this.#requests = requests ?? new RequestMemory({ capacity });
    this.#vectors = createPackedIndex(dimension);
    this.#needs = new NeedMemory(dimension);
    this.#stopListening = this.#requests.onForgotten((intent) => this.#forget(intent));
  }

  get size(): number {
    return this.#requests.size;
  }

  /** How many of them have a vector. */
  get vectorCount(): number {
    return this.#vectors.size;
  }

  /** Needs of them that have one. */
  get needCount(): number {
    return this.#needs.size;
  }

  /** Those added first come first. */
  ids(): Iterable<string> {
    return this.#requests.ids();
  }

  /** With its vectors, as far as there are any. */
  get(id: string): PastIntent | undefined {
    const intent = this.#requests.get(id);
    if (!intent) return undefined;
    const vector = this.#vectors.get(id);
    const needs = intent.needs.map(({ text }) => {
      const own = this.#needs.vectorOf(text);
      return own ? { text, vector: own } : { text };
    });
    return { ...intent, needs, ...(vector && { vector }) };
  }

  /** A request without its vectors. */
  wordsOf(id: string): PastIntent | undefined {
    return this.#requests.get(id);
  }

  has(id: string): boolean {
    return this.#requests.has(id);
  }

  hasVector(id: string): boolean {
    return this.#vectors.has(id);
  }

  /** Whether a need of a request that is remembered has a vector. */
  hasNeed(text: string): boolean {
    return this.#needs.has(text);
  }

  /** The oldest are forgotten when there are too many. */
  add(given: PastIntent): void {
    if (given.tools.length === 0) return;
    this.#requests.add(given);
    this.embed(given);
  }

  /** Takes the vectors of a request that is remembered. */
  embed({ id, vector, needs }: Pick<PastIntent, 'id' | 'vector' | 'needs'>): void {
    const intent = this.#requests.get(id);
    if (!intent) return;
    if (vector) this.#vectors.set(id, vector);
    this.#byRow = undefined;
    this.#needs.add({ ...intent, needs });
  }

  remove(id: string): void {
    this.#requests.remove(id);
  }

  recall(question: Question, options: RecallOptions = {}): Recall {
    const { unrelated } = options;
    const { intents, lists, listOf, words, company } = this.#requests;
    const leftOut = this.#leftOut(options);
    if (this.size <= leftOut.length) return NO_MEMORY;
    const numbers = leftOut.map(({ id }) => this.#requests.numberOf(id)!);
    return recallFrom({
      intents,
      lists,
      listOf,
      count: this.size - leftOut.length,
      similarities: question.vector && this.#similarities(question.vector),
      overlaps: words.overlaps(question.text, numbers),
      unrelated,
      needVotes: (base) => this.#needs.votes(question, { leftOut, base, unrelated }),
      company: company.without(leftOut.map(({ tools }) => tools)),
      leftOut: new Set(numbers),
      sameWords: this.#requests.withWordsOf(question.text),
      recurrence: this.#requests.recurrence.share,
    });
  }

  /** The ids of the requests whose likeness is at least `least`. */
  nearTo(vector: Float32Array, least: number): readonly string[] {
    const { scores, keyOf } = this.#vectors.similarities(vector);
    const found: string[] = [];
    for (let row = 0; row < scores.length; row++) {
      if (scores[row]! >= least) found.push(keyOf(row)!);
    }
    return found;
  }

  /** Lets go of the requests it shares with others. */
  [Symbol.dispose](): void {
    this.#stopListening();
  }

  #leftOut({ withoutGroup, without = [] }: RecallOptions): readonly PastIntent[] {
    const group = withoutGroup === undefined ? [] : this.#requests.groupOf(withoutGroup);
    if (without.length === 0) return group;
    const ids = new Set([...group.map(({ id }) => id), ...without]);
    return [...ids].flatMap((id) => this.#requests.get(id) ?? []);
  }

  #forget(intent: PastIntent): void {
    this.#vectors.delete(intent.id);
    this.#byRow = undefined;
    this.#needs.remove(intent);
  }

  #similarities(vector: Float32Array): RecallParts['similarities'] {
    const similarities = this.#vectors.similarities(vector);
    const { scores, keyOf } = similarities;
    this.#byRow ??= Int32Array.from(scores, (_, row) => this.#requests.numberOf(keyOf(row)!)!);
    return { ...similarities, byRow: this.#byRow };
  }
}
