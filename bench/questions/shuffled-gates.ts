/**
 * Which gates open where there is nothing to learn: what served each remembered request is given to
 * another request. Whole runs are exchanged, so what usually follows what stays true: a gate that learns
 * from the order alone may open, one that learns from the request may not.
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
  { store, most }: { readonly store: Store; readonly most: number },
): Promise<readonly Row[]> {
  const memory = ['queries.jsonl', 'traces.jsonl']
    .map((file) => dataFile(name, file))
    .filter((file) => existsSync(file))
    .flatMap((file) => exchanged(spread(readRows(file) as readonly MemoryRow[], most)));
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
  process.stderr.write(`${name}: discovery ${kind} ${JSON.stringify(metric).slice(0, 400)}\n`);
  const row = (part: string, isOpen: boolean, why: string): Row => {
    process.stderr.write(`${name}: ${part}: ${isOpen ? 'open' : 'closed'}: ${why}\n`);
    return {
      name: `${name}: ${part}: gate open`,
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
