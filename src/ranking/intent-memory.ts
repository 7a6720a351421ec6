import type { ToolId } from '../core/index.js';
import { createVectorIndex, type VectorIndex } from '../search/index.js';
import { Company } from './company.js';
import { NeedMemory } from './need-memory.js';
import type { PastIntent, Question } from './question.js';
import { NO_MEMORY, type Recall, recallFrom } from './recall.js';
import type { Spread } from './spread.js';
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
  readonly #intents = new Map<string, PastIntent>();
  readonly #groups = new Map<string, Set<string>>();
  readonly #words = new WordMemory();
  readonly #needs: NeedMemory;
  readonly #company = new Company();
  readonly #lists = new Map<string, readonly ToolId[]>();

  constructor({ dimension, capacity = 20_000 }: { dimension: number; capacity?: number }) {
    this.#capacity = capacity;
    this.#vectors = createVectorIndex(dimension);
    this.#needs = new NeedMemory(dimension);
  }

  get size(): number {
    return this.#intents.size;
  }

  all(): Iterable<PastIntent> {
    return this.#intents.values();
  }

  get(id: string): PastIntent | undefined {
    return this.#intents.get(id);
  }

  has(id: string): boolean {
    return this.#intents.has(id);
  }

  /** The oldest are forgotten when there are too many. */
  add(given: PastIntent): void {
    if (given.tools.length === 0) return;
    const intent = { ...given, tools: this.#shared(given.tools) };
    this.remove(intent.id);
    this.#intents.set(intent.id, intent);
    const group = this.#groups.get(intent.group) ?? new Set();
    this.#groups.set(intent.group, group.add(intent.id));
    this.#words.add(intent.id, intent.text);
    this.#company.add(intent.tools);
    if (intent.vector) this.#vectors.set(intent.id, intent.vector);
    this.#needs.add(intent);
    for (const oldest of this.#intents.keys()) {
      if (this.#intents.size <= this.#capacity) break;
      this.remove(oldest);
    }
  }

  remove(id: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    this.#intents.delete(id);
    const group = this.#groups.get(intent.group);
    group?.delete(id);
    if (group?.size === 0) this.#groups.delete(intent.group);
    this.#words.remove(id);
    this.#company.remove(intent.tools);
    this.#vectors.delete(id);
    this.#needs.remove(intent);
  }

  /** The one list of these tools: it stands for all requests they served. */
  #shared(tools: readonly ToolId[]): readonly ToolId[] {
    const key = tools.join('\n');
    const known = this.#lists.get(key);
    if (known) return known;
    if (this.#lists.size >= this.#capacity) this.#lists.clear();
    this.#lists.set(key, tools);
    return tools;
  }

  recall(question: Question, { withoutGroup, unrelated }: RecallOptions = {}): Recall {
    const group = withoutGroup === undefined ? undefined : this.#groups.get(withoutGroup);
    const leftOut: ReadonlySet<string> = group ?? new Set();
    if (this.#intents.size <= leftOut.size) return NO_MEMORY;
    const isLeftOut = (id: string) => leftOut.has(id);
    const company = this.#company.without(
      Array.from(leftOut, (id) => this.#intents.get(id)!.tools),
    );
    return recallFrom({
      intents: this.#intents,
      count: this.#intents.size - leftOut.size,
      similarities: question.vector && this.#vectors.similarities(question.vector),
      overlaps: this.#words.overlaps(question.text, leftOut),
      unrelated,
      needVotes: (base) => this.#needs.votes(question, { isLeftOut, base, unrelated }),
      company,
      isLeftOut,
    });
  }
}
