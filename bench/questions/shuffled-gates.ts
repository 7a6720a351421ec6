/**
 * Which gates open where there is nothing to learn, in three ways. Exchanged: what served each remembered
 * request is given to another request; what follows what, and what passes values to what, stays true.
 * Dealt: the tools of all runs are dealt out again at random; only how often a tool is used stays true.
 * Relinked: requests keep their tools, and which of them pass values to which is drawn at random. A gate
 * whose labels a way shuffles must stay closed; the bench fails if it opens. Real: nothing is shuffled, to
 * see which gates open with so few requests where there is something to learn.
 */
import { existsSync } from 'node:fs';

import type { GateVerdict } from '../../src/learning/index.js';
import type { Choice } from '../../src/ranking/index.js';
import type { Store } from '../../src/store/index.js';
import { shuffled, spread } from '../data/discover-sets.js';
import { dataFile } from '../data/kit.js';
import { modelsWithout } from '../data/left-out-weights.js';
import { readyDiscovery } from '../data/ready-discovery.js';
import { readySuggester } from '../data/ready-suggester.js';
import { readRows } from '../data/rows.js';
import { seededRandom } from '../data/seeded-random.js';
import { readToolSet } from '../data/tool-set.js';
import type { Row } from '../report.js';

interface MemoryRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly [field: string]: unknown;
}

/** What discovery begins with: it learned nothing. */
const SHIPPED_KINDS: ReadonlySet<string> = new Set(['cold', 'memory']);

type Gate =
  | 'discovery'
  | 'features of discovery'
  | 'heads'
  | 'members'
  | 'links'
  | 'next'
  | 'features of members'
  | 'features of next steps';

interface Way {
  readonly name: string;
  readonly shuffle: (rows: readonly MemoryRow[], seed: number) => readonly MemoryRow[];
  /** The gates whose labels it shuffles. Missing: all. */
  readonly shuffles?: readonly Gate[];
}

const WAYS: readonly Way[] = [
  {
    name: 'exchanged',
    shuffle: exchanged,
    shuffles: ['discovery', 'features of discovery', 'heads', 'members', 'features of members'],
  },
  { name: 'dealt', shuffle: dealt },
  { name: 'relinked', shuffle: relinked, shuffles: ['links'] },
  // The other side: a gate that is always closed would pass all of the above.
  { name: 'real', shuffle: (rows) => rows, shuffles: [] },
];

interface ShuffledOptions {
  readonly store: Store;
  /** So many requests of a set at most. */
  readonly most: number;
  /** How often labels are shuffled in each way. */
  readonly times: number;
  /** The ways that are wanted. Default: all. */
  readonly ways?: readonly string[] | undefined;
}

export async function shuffledGates(
  name: string,
  options: ShuffledOptions,
): Promise<readonly Row[]> {
  const files = ['queries.jsonl', 'traces.jsonl']
    .map((file) => dataFile(name, file))
    .filter((file) => existsSync(file))
    .map((file) => spread(readRows(file) as readonly MemoryRow[], options.most));
  const rows: Row[] = [];
  for (const way of WAYS) {
    if (options.ways?.includes(way.name) === false) continue;
    const times = way.name === 'real' ? 1 : options.times;
    for (let seed = 1; seed <= times; seed++) {
      const memory = way.shuffle(files.flat(), seed);
      for (const { gate, isOpen, why } of await gatesOf(name, memory, options.store)) {
        const isShuffled = way.shuffles?.includes(gate) ?? true;
        const title = `${name}, ${way.name}, seed ${seed}: ${gate}`;
        const state = `${isOpen ? 'open' : 'closed'}${isShuffled ? '' : ' (labels as they are)'}`;
        process.stderr.write(`${title}: ${state}: ${why}\n`);
        if (!isShuffled) continue;
        if (isOpen) process.exitCode = 1;
        rows.push({ name: title, value: isOpen ? 1 : 0, unit: 'open', n: memory.length });
      }
    }
  }
  return rows;
}

interface GateState {
  readonly gate: Gate;
  readonly isOpen: boolean;
  readonly why: string;
}

async function gatesOf(
  name: string,
  memory: readonly MemoryRow[],
  store: Store,
): Promise<readonly GateState[]> {
  const toolSet = readToolSet(dataFile(name, 'tools.jsonl'));
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say: () => {} });
  const { discovery } = ready;
  const shipped = modelsWithout(name);
  const suggester = await readySuggester({ discovery, toolSet, memory, shipped });
  const { kind, metric } = discovery.status.ranking;
  const state = (gate: Gate, { isBetter, why }: Pick<GateVerdict, 'isBetter' | 'why'>) => {
    return { gate, isOpen: isBetter, why };
  };
  const { gates = [] } = metric as { readonly gates?: Choice['gates'] };
  const ofFeatures = gates.find((one) => one.name === 'features');
  const found = [
    { gate: 'discovery' as const, isOpen: !SHIPPED_KINDS.has(kind), why: kind },
    ...(ofFeatures ? [state('features of discovery', ofFeatures)] : []),
  ];
  const { learned } = suggester.status;
  if (!learned) return found;
  const { heldOut, heads, features } = learned;
  const why = heads.map((one) => one.why).join('; ') || 'none tried';
  return [
    ...found,
    state('heads', { isBetter: heads.some(({ isBetter }) => isBetter), why }),
    state('members', heldOut.members),
    state('links', heldOut.links),
    state('next', heldOut.next),
    state('features of members', features.members),
    state('features of next steps', features.next),
  ];
}

/** Each request with what served another one. */
function exchanged(rows: readonly MemoryRow[], seed: number): readonly MemoryRow[] {
  const order = shuffled(rows, seed);
  return rows.map((row, at) => {
    const { id, query, group } = row;
    return { ...order[at]!, id, query, ...(group !== undefined && { group }) };
  });
}

/** Each run with as many tools as it had, dealt from those of all runs. */
function dealt(rows: readonly MemoryRow[], seed: number): readonly MemoryRow[] {
  const own = rows.map(toolsOf);
  const pool = [...shuffled(own.flat(), seed)];
  return rows.map((row, at) => {
    const taken = new Set<string>();
    const renamed = new Map<string, string>();
    for (const tool of own[at]!) {
      const place = pool.findIndex((other) => !taken.has(other));
      const [other = tool] = pool.splice(Math.max(0, place), 1);
      taken.add(other);
      renamed.set(tool, other);
    }
    return renamedIn(row, renamed) as MemoryRow;
  });
}

/** Each run with as many links as it had, between any of its tools. */
function relinked(rows: readonly MemoryRow[], seed: number): readonly MemoryRow[] {
  const random = seededRandom(seed);
  return rows.map((row) => {
    const edges = (row['edges'] ?? []) as readonly Edge[];
    const all = toolsOf(row);
    const pairs = all.flatMap((s) => all.flatMap((t) => (s === t ? [] : [{ s, t, at: random() }])));
    const count = new Set(edges.map(({ s, t }) => JSON.stringify([s, t]))).size;
    const drawn = pairs.toSorted((one, other) => one.at - other.at).slice(0, count);
    return { ...row, edges: drawn.map(({ s, t }) => ({ s, t })) };
  });
}

/** The tools of a run, each once. */
function toolsOf({ gold, order, edges, events, main }: MemoryRow): readonly string[] {
  const tools = new Set<string>();
  const find = (value: unknown) => {
    if (typeof value === 'string') tools.add(value);
    else if (Array.isArray(value)) value.forEach(find);
  };
  find([gold, order, main]);
  for (const { s, t } of (edges ?? []) as readonly Edge[]) find([s, t]);
  for (const { type, tool } of (events ?? []) as readonly Event[]) if (type === 'exec') find(tool);
  return [...tools];
}

interface Edge {
  readonly s: string;
  readonly t: string;
}

interface Event {
  readonly type: string;
  readonly tool?: string;
}

/** The row with other tools, wherever it names one. */
function renamedIn(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamed.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => renamedIn(one, renamed));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'query' || key === 'id' || key === 'group' ? one : renamedIn(one, renamed),
    ]),
  );
}
