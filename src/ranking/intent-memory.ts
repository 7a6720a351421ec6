import { createVectorIndex, type VectorIndex } from '../search/index.js';
import { Company } from './company.js';
import { NeedMemory } from './need-memory.js';
import { Numbers } from './numbers.js';
import type { PastIntent, Question } from './question.js';
import { NO_MEMORY, type Recall, recallFrom, type RecallParts } from './recall.js';
import type { Spread } from './spread.js';
import { ToolLists } from './tool-lists.js';
import { WordMemory } from './word-memory.js';

export interface RecallOptions {
  /** Leaves out a group, to see how the rest would have answered it. */
  readonly withoutGroup?: string;
  /** How alike the question is to texts that have nothing to do with it. */
  readonly unrelated?: Spread | undefined;
}

/** Past requests and what served them: the strongest hint there is where work recurs. */
export class IntentMemory {
  readonly #capacity: number;
  readonly #vectors: VectorIndex<string>;
  /** Requests go by numbers inside: sums over all of them need no lookups by text. */
  readonly #numbers = new Numbers();
  readonly #intents: (PastIntent | undefined)[] = [];
  /** The list of tools that served each. */
  readonly #listOf: number[] = [];
  readonly #lists = new ToolLists();
  readonly #groups = new Map<string, Set<string>>();
  readonly #words = new WordMemory();
  readonly #needs: NeedMemory;
  readonly #company = new Company();
  /** Which request each row of the vectors is of, until that changes. */
  #byRow: Int32Array | undefined;

  constructor({ dimension, capacity = 20_000 }: { dimension: number; capacity?: number }) {
    this.#capacity = capacity;
    this.#vectors = createVectorIndex(dimension);
    this.#needs = new NeedMemory(dimension);
  }

  get size(): number {
    return this.#numbers.size;
  }

  *all(): Iterable<PastIntent> {
    for (const id of this.#numbers.keys()) yield this.get(id)!;
  }

  get(id: string): PastIntent | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#intents[number];
  }

  has(id: string): boolean {
    return this.#numbers.get(id) !== undefined;
  }

  /** The oldest are forgotten when there are too many. */
  add(given: PastIntent): void {
    if (given.tools.length === 0) return;
    this.remove(given.id);
    const number = this.#numbers.take(given.id);
    const list = this.#lists.take(given.tools);
    const intent = { ...given, tools: this.#lists.toolsOf(list) };
    this.#intents[number] = intent;
    this.#listOf[number] = list;
    const group = this.#groups.get(intent.group) ?? new Set();
    this.#groups.set(intent.group, group.add(intent.id));
    this.#words.add(number, intent.text);
    this.#company.add(intent.tools);
    if (intent.vector) this.#vectors.set(intent.id, intent.vector);
    this.#byRow = undefined;
    this.#needs.add(intent);
    for (const oldest of this.#numbers.keys()) {
      if (this.#numbers.size <= this.#capacity) break;
      this.remove(oldest);
    }
  }

  remove(id: string): void {
    const number = this.#numbers.get(id);
    const intent = this.get(id);
    if (number === undefined || !intent) return;
    this.#numbers.letGo(id);
    this.#lists.letGo(this.#listOf[number]!);
    this.#intents[number] = undefined;
    const group = this.#groups.get(intent.group);
    group?.delete(id);
    if (group?.size === 0) this.#groups.delete(intent.group);
    this.#words.remove(number);
    this.#company.remove(intent.tools);
    this.#vectors.delete(id);
    this.#byRow = undefined;
    this.#needs.remove(intent);
  }

  recall(question: Question, { withoutGroup, unrelated }: RecallOptions = {}): Recall {
    const group = withoutGroup === undefined ? undefined : this.#groups.get(withoutGroup);
    const leftOut = Array.from(group ?? [], (id) => this.get(id)!);
    if (this.size <= leftOut.length) return NO_MEMORY;
    const numbers = leftOut.map(({ id }) => this.#numbers.get(id)!);
    return recallFrom({
      intents: this.#intents,
      lists: this.#lists,
      listOf: this.#listOf,
      count: this.size - leftOut.length,
      similarities: question.vector && this.#similarities(question.vector),
      overlaps: this.#words.overlaps(question.text, numbers),
      unrelated,
      needVotes: (base) => this.#needs.votes(question, { leftOut, base, unrelated }),
      company: this.#company.without(leftOut.map(({ tools }) => tools)),
      leftOut: new Set(numbers),
    });
  }

  #similarities(vector: Float32Array): RecallParts['similarities'] {
    const similarities = this.#vectors.similarities(vector);
    const { scores, keyOf } = similarities;
    this.#byRow ??= Int32Array.from(scores, (_, row) => this.#numbers.get(keyOf(row)!)!);
    return { ...similarities, byRow: this.#byRow };
  }
}
