/**
 * Which gates open where there is nothing to learn, in two ways. Exchanged: what served each remembered
 * request is given to another request; what usually follows what, and what passes values to what, stays
 * true, so gates of links and next steps may open. Dealt: the tools of all runs are dealt out again at
 * random; only how often a tool is used stays true, so every gate must stay closed.
 */
import { existsSync } from 'node:fs';

import type { Store } from '../../src/store/index.js';
import { shuffled, spread } from '../data/discover-sets.js';
import { dataFile } from '../data/kit.js';
import { modelsWithout } from '../data/left-out-weights.js';
import { readyDiscovery } from '../data/ready-discovery.js';
import { readySuggester } from '../data/ready-suggester.js';
import { readRows } from '../data/rows.js';
import { readToolSet } from '../data/tool-set.js';
import type { Row } from '../report.js';

interface MemoryRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly [field: string]: unknown;
}

const SEED = 1;
/** Choices of discovery that do not learn which tools serve which requests. */
const CLOSED_KINDS: ReadonlySet<string> = new Set(['cold', 'default']);

export async function shuffledGates(
  name: string,
  options: { readonly store: Store; readonly most: number },
): Promise<readonly Row[]> {
  const rows = ['queries.jsonl', 'traces.jsonl']
    .map((file) => dataFile(name, file))
    .filter((file) => existsSync(file))
    .map((file) => spread(readRows(file) as readonly MemoryRow[], options.most));
  return [
    ...(await gatesOf(name, { ...options, way: 'exchanged', memory: rows.flatMap(exchanged) })),
    ...(await gatesOf(name, { ...options, way: 'dealt', memory: dealt(rows.flat()) })),
  ];
}

interface ShuffledOptions {
  readonly store: Store;
  readonly way: string;
  readonly memory: readonly MemoryRow[];
}

async function gatesOf(
  name: string,
  { store, way, memory }: ShuffledOptions,
): Promise<readonly Row[]> {
  const toolSet = readToolSet(dataFile(name, 'tools.jsonl'));
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say: () => {} });
  const { discovery } = ready;
  const suggester = await readySuggester({
    discovery,
    toolSet,
    memory,
    shipped: modelsWithout(name),
  });
  const { kind, metric } = discovery.status.ranking;
  const { learned } = suggester.status;
  process.stderr.write(
    `${name}, ${way}: discovery ${kind} ${JSON.stringify(metric).slice(0, 400)}\n`,
  );
  const row = (part: string, isOpen: boolean, why: string): Row => {
    process.stderr.write(`${name}, ${way}: ${part}: ${isOpen ? 'open' : 'closed'}: ${why}\n`);
    return {
      name: `${name}, ${way}: ${part}: gate open`,
      value: isOpen ? 1 : 0,
      unit: '',
      n: memory.length,
    };
  };
  const rows = [row('discovery', !CLOSED_KINDS.has(kind), kind)];
  if (!learned) return rows;
  const { heldOut, heads, features } = learned;
  const inUse = heads.some(({ isBetter }) => isBetter);
  return [
    ...rows,
    row('heads', inUse, heads.map(({ why }) => why).join('; ') || 'none tried'),
    row('members', heldOut.members.isBetter, heldOut.members.why),
    row('links', heldOut.links.isBetter, heldOut.links.why),
    row('next', heldOut.next.isBetter, heldOut.next.why),
    row('features of members', features.members.isBetter, features.members.why),
    row('features of next steps', features.next.isBetter, features.next.why),
  ];
}

/** Each request with what served another one. */
function exchanged(rows: readonly MemoryRow[]): readonly MemoryRow[] {
  const order = shuffled(rows, SEED);
  return rows.map((row, at) => {
    const { id, query, group } = row;
    return { ...order[at]!, id, query, ...(group !== undefined && { group }) };
  });
}

/** Each run with as many tools as it had, dealt from those of all runs. */
function dealt(rows: readonly MemoryRow[]): readonly MemoryRow[] {
  const own = rows.map(toolsOf);
  const pool = [...shuffled(own.flat(), SEED)];
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
