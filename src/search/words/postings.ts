import type { CatalogTool, ToolId } from '../../core/index.js';
import { tokenize } from '../../words/index.js';
import { FIELDS, fieldTexts } from './fields.js';

/** How often a term stands in each of `FIELDS`. */
export type FieldCounts = readonly number[];

export interface IndexedTool {
  readonly tool: CatalogTool;
  /** A small number that stands for the tool while scores are added up; reused after removal. */
  readonly slot: number;
  /** Terms in each of `FIELDS`. */
  readonly lengths: readonly number[];
  readonly terms: ReadonlyMap<string, FieldCounts>;
}

/**
 * Which tools hold a term, kept up to date tool by tool. Totals are whole numbers, so that any
 * history of changes leaves exactly what a fresh index of the same tools would hold.
 */
export class Postings {
  readonly #byId = new Map<ToolId, IndexedTool>();
  readonly #byTerm = new Map<string, Map<IndexedTool, FieldCounts>>();
  readonly #totals: number[] = FIELDS.map(() => 0);
  readonly #freeSlots: number[] = [];
  readonly #bySlot: (IndexedTool | undefined)[] = [];

  get size(): number {
    return this.#byId.size;
  }

  /** Slots are below this number. */
  get slots(): number {
    return this.#bySlot.length;
  }

  tools(): Iterable<IndexedTool> {
    return this.#byId.values();
  }

  get(id: ToolId): IndexedTool | undefined {
    return this.#byId.get(id);
  }

  at(slot: number): IndexedTool | undefined {
    return this.#bySlot[slot];
  }

  holding(term: string): ReadonlyMap<IndexedTool, FieldCounts> | undefined {
    return this.#byTerm.get(term);
  }

  averageLengths(): readonly number[] {
    return this.#totals.map((total) => total / Math.max(1, this.size));
  }

  /** Returns the terms no tool held before. */
  add(tool: CatalogTool): readonly string[] {
    const slot = this.#freeSlots.pop() ?? this.#bySlot.length;
    const indexed = { tool, slot, ...countTerms(tool) };
    const fresh = [...indexed.terms.keys()].filter((term) => !this.#byTerm.has(term));
    for (const term of fresh) this.#byTerm.set(term, new Map());
    for (const [term, counts] of indexed.terms) this.#byTerm.get(term)?.set(indexed, counts);
    indexed.lengths.forEach((length, field) => (this.#totals[field]! += length));
    this.#byId.set(tool.id, indexed);
    this.#bySlot[slot] = indexed;
    return fresh;
  }

  /** Returns the terms no tool holds any more. */
  remove(id: ToolId): readonly string[] {
    const indexed = this.#byId.get(id);
    if (!indexed) return [];
    for (const term of indexed.terms.keys()) this.#byTerm.get(term)?.delete(indexed);
    const gone = [...indexed.terms.keys()].filter((term) => this.#byTerm.get(term)?.size === 0);
    for (const term of gone) this.#byTerm.delete(term);
    indexed.lengths.forEach((length, field) => (this.#totals[field]! -= length));
    this.#byId.delete(id);
    this.#bySlot[indexed.slot] = undefined;
    this.#freeSlots.push(indexed.slot);
    return gone;
  }
}

function countTerms(tool: CatalogTool): Pick<IndexedTool, 'lengths' | 'terms'> {
  const terms = new Map<string, number[]>();
  const lengths = fieldTexts(tool).map((text, field) => {
    const found = tokenize(text);
    for (const term of found) {
      const counts = terms.get(term) ?? FIELDS.map(() => 0);
      counts[field] = (counts[field] ?? 0) + 1;
      terms.set(term, counts);
    }
    return found.length;
  });
  return { lengths, terms };
}
