import type { ToolId } from '../../core/index.js';
import type { PastIntent } from '../question.js';
import { Company } from './company.js';
import { Numbers } from './numbers.js';
import { Recurrence } from './recurrence.js';
import { SameWords } from './same-words.js';
import { ToolLists } from './tool-lists.js';
import { WordMemory } from './word-memory.js';

/** More tools than any real set-up has: then their names are held more than once again. */
const MOST_NAMES = 50_000;
/** The number of related requests that PML checks for an earlier use of a tool. */
const MOST_TWINS = 50;

/**
 * Past requests by their words and tools: what is the same in every embedding space, and so is held
 * once, whatever number of spaces there are. Of vectors it holds none.
 */
export class RequestMemory {
  readonly #capacity: number;
  /** Requests go by numbers inside: sums over all of them need no lookups by text. */
  readonly #numbers = new Numbers();
  readonly intents: (PastIntent | undefined)[] = [];
  /** The list of tools that served each. */
  readonly listOf: number[] = [];
  readonly lists = new ToolLists();
  /** Only groups that are not called like their one request: most are. */
  readonly #groups = new Map<string, Set<string>>();
  readonly words = new WordMemory();
  readonly company = new Company();
  /** How often tools recur in different requests. */
  readonly recurrence = new Recurrence();
  readonly #sameWords = new SameWords((number) => this.intents[number]?.text);
  readonly #names = new Map<ToolId, ToolId>();
  readonly #listeners = new Set<(intent: PastIntent) => void>();

  constructor({ capacity = 20_000 }: { readonly capacity?: number } = {}) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** Those added first come first. */
  ids(): Iterable<string> {
    return this.#numbers.keys();
  }

  get(id: string): PastIntent | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.intents[number];
  }

  has(id: string): boolean {
    return this.#numbers.get(id) !== undefined;
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** Hears of every request that is forgotten. Returns how to stop it. */
  onForgotten(listener: (intent: PastIntent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Without its vectors. The oldest are forgotten when there are too many. */
  add(given: PastIntent): void {
    if (given.tools.length === 0) return;
    this.remove(given.id);
    const number = this.#numbers.take(given.id);
    const list = this.lists.take(given.tools);
    const { id, group, text, called } = given;
    const intent: PastIntent = {
      id,
      group,
      text,
      needs: given.needs.map((need) => ({ text: need.text })),
      tools: this.lists.toolsOf(list),
      ...(called && { called: called.map((tool) => this.#named(tool)) }),
    };
    for (const tool of this.#ownTools(intent)) this.recurrence.add(tool);
    this.intents[number] = intent;
    this.listOf[number] = list;
    if (group !== id) this.#groups.set(group, (this.#groups.get(group) ?? new Set()).add(id));
    this.words.add(number, text);
    this.#sameWords.add(number, text);
    this.company.add(intent.tools);
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
    this.lists.letGo(this.listOf[number]!);
    this.intents[number] = undefined;
    const group = this.#groups.get(intent.group);
    group?.delete(id);
    if (group?.size === 0) this.#groups.delete(intent.group);
    this.words.remove(number);
    this.#sameWords.remove(number, intent.text);
    this.company.remove(intent.tools);
    for (const tool of this.#ownTools(intent)) this.recurrence.remove(tool);
    for (const listener of this.#listeners) listener(intent);
  }

  /** The requests of a group. */
  groupOf(group: string): readonly PastIntent[] {
    const own = this.get(group);
    const others = Array.from(this.#groups.get(group) ?? [], (id) => this.get(id)!);
    return own?.group === group ? [own, ...others] : others;
  }

  /** The numbers of the requests that have the same words. */
  withWordsOf(text: string): readonly number[] {
    return this.#sameWords.of(text);
  }

  /** Tools that no request of the same group or words has used: a repetition is no new evidence. */
  #ownTools({ group, text, tools }: PastIntent): readonly ToolId[] {
    const twins = [
      ...this.#sameWords.of(text).map((number) => this.intents[number]),
      ...this.groupOf(group),
    ].slice(0, MOST_TWINS);
    if (twins.length === 0) return tools;
    const used = new Set(twins.flatMap((twin) => twin?.tools ?? []));
    return tools.filter((tool) => !used.has(tool));
  }

  /** The same text for the same tool: every call brings one of its own. */
  #named(tool: ToolId): ToolId {
    const known = this.#names.get(tool);
    if (known !== undefined) return known;
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    this.#names.set(tool, tool);
    return tool;
  }
}
