import { existsSync } from 'node:fs';

import { nearGroups, NEARLY_EQUAL } from '../../src/learning/index.js';
import { IntentMemory } from '../../src/ranking/index.js';
import type { Store } from '../../src/store/index.js';
import { wordKey } from '../../src/words/index.js';
import { dataFile } from './kit.js';
import { type RankedRow, rankedSet, type RankedSet, type SourceRow } from './ranked-set.js';
import { readRows } from './rows.js';
import { seededRandom } from './seeded-random.js';
import { readToolSet } from './tool-set.js';

export interface DiscoverSet {
  readonly name: string;
  /** Which of its requests are asked. */
  readonly variant?: string;
  /** Whether past requests are given at all. Default: they are. */
  readonly hasMemory?: boolean;
  /** Recorded from agents at real servers: too small for one split, and what counts most. */
  readonly isReal?: boolean;
}

export const DISCOVER_SETS: readonly DiscoverSet[] = [
  { name: 'livemcp', isReal: true },
  { name: 'livemcp-subintents', isReal: true },
  { name: 'toolathlon', isReal: true },
  { name: 'ultratool' },
  { name: 'toollinkos' },
  { name: 'metatool', variant: 'single' },
  { name: 'traject', variant: 'hard' },
  { name: 'sealtools' },
  { name: 'nestful' },
  { name: 'nestools' },
  { name: 'tau2' },
  { name: 'tmdb' },
  { name: 'toolret-apibank', hasMemory: false },
  { name: 'toolret-apigen', hasMemory: false },
  { name: 'toolret-gorilla-huggingface', hasMemory: false },
  { name: 'toolret-toolink', hasMemory: false },
];

/** A set that is read and embedded, with the requests that may be asked. */
export interface ReadySet extends DiscoverSet {
  readonly set: RankedSet;
  readonly asked: readonly RankedRow[];
  /** What must be on one side: of one group, of the same words, or nearly equal in meaning. */
  readonly groupOf: (row: RankedRow) => string;
}

/** Requests and recorded runs, as many of them as told, spread over all. */
export async function readySet(
  of: DiscoverSet,
  { store, most }: { readonly store: Store; readonly most: number },
): Promise<ReadySet> {
  const queries = readRows(dataFile(of.name, 'queries.jsonl')) as readonly SourceRow[];
  const traces = dataFile(of.name, 'traces.jsonl');
  const runs = existsSync(traces) ? (readRows(traces) as readonly SourceRow[]) : [];
  const tools = readToolSet(dataFile(of.name, 'tools.jsonl'));
  const set = await rankedSet(store, tools, [...spread(queries, most), ...runs]);
  const isAsked = ({ row, intents }: RankedRow) =>
    row.gold !== undefined &&
    intents.length > 0 &&
    (of.variant === undefined || row.variant === of.variant);
  return { ...of, set, asked: set.rows.filter(isAsked), groupOf: groupsOf(set) };
}

function groupsOf({ rows }: RankedSet): (row: RankedRow) => string {
  const own = ({ row }: RankedRow) => row.group ?? row.id;
  const dimension = rows.find(({ intents }) => intents[0])?.intents[0]?.vector?.length ?? 1;
  const memory = new IntentMemory({ dimension, capacity: Infinity });
  const groups = new Map<string, string>();
  for (const row of rows) {
    for (const intent of row.intents) {
      memory.add(intent);
      groups.set(intent.id, own(row));
    }
  }
  const pairs = rows.flatMap((row) =>
    row.intents.flatMap(({ vector }) =>
      memory.nearTo(vector!, NEARLY_EQUAL).map((id) => [own(row), groups.get(id)!] as const),
    ),
  );
  const rootOf = nearGroups(
    rows.map((row) => ({ group: own(row), words: wordKey(row.row.query) })),
    pairs,
  );
  return (row) => rootOf(own(row));
}

/** At random, but the same for the same seed: which fold each group is in. */
export function foldsAt(
  rows: readonly RankedRow[],
  { groupOf, count, seed }: { groupOf: ReadySet['groupOf']; count: number; seed: number },
): (row: RankedRow) => number {
  const folds = new Map(
    shuffled([...new Set(rows.map(groupOf))], seed).map((g, at) => [g, at % count]),
  );
  return (row) => folds.get(groupOf(row))!;
}

export function shuffled<One>(all: readonly One[], seed: number): readonly One[] {
  const random = seededRandom(seed);
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ one }) => one);
}

/** So many of all, from its beginning to its end. */
export function spread<One>(all: readonly One[], most: number): readonly One[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]!);
}
