/** How long a search takes as tools grow, against reading through all of them. */
import { performance } from 'node:perf_hooks';

import type { CatalogTool } from '../src/core/index.js';
import { discover } from '../src/discovery/index.js';
import { createToolIndex, type ToolIndex } from '../src/search/index.js';
import { createContextBudget } from '../src/tool-text/index.js';
import { INTENTS, syntheticTools } from './data/synthetic-tools.js';
import { createReport, median, quantile, type Report, type Row } from './report.js';

const SIZES = [500, 5_000, 50_000];
const REPEATS = 15;

export async function run(): Promise<Report> {
  return createReport('search', SIZES.flatMap(measure));
}

function measure(size: number): readonly Row[] {
  const tools = syntheticTools(size);
  const index = createToolIndex();
  const building = timeOf(() => {
    for (const tool of tools) index.upsert(tool);
    index.search('warm up', { limit: 5 });
  });
  const indexed: number[] = [];
  const scanned: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const intent of INTENTS) {
      indexed.push(timeOf(() => index.search(intent, { limit: 5 })));
      scanned.push(timeOf(() => scan(tools, intent)));
    }
  }
  const n = indexed.length;
  return [
    { name: `${size} tools: build the index`, value: building, unit: 'ms' },
    { name: `${size} tools: linear scan`, value: median(scanned), unit: 'ms', n },
    {
      name: `${size} tools: search`,
      value: median(indexed),
      unit: 'ms',
      ratio: median(indexed) / median(scanned),
      n,
    },
    ...measureDiscover(index, tools, size),
  ];
}

/** The slow ones of what an agent waits for, as it is and when a tool changed just before. */
function measureDiscover(
  index: ToolIndex,
  tools: readonly CatalogTool[],
  size: number,
): readonly Row[] {
  const budget = createContextBudget({ windowTokens: 200_000, share: 0.1 });
  const settled: number[] = [];
  const changed: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const intent of INTENTS) {
      settled.push(timeOf(() => discover({ intent }, { index, budget })));
      index.upsert(tools[repeat]!);
      changed.push(timeOf(() => discover({ intent }, { index, budget })));
    }
  }
  return [
    { name: `${size} tools: discover, P95`, value: quantile(settled, 0.95), unit: 'ms' },
    { name: `${size} tools: after a change, P95`, value: quantile(changed, 0.95), unit: 'ms' },
  ];
}

/** The simplest way: count the words that occur in each text, and sort. */
function scan(tools: readonly CatalogTool[], intent: string): readonly string[] {
  const words = intent.split(' ');
  const scored = tools.map(({ id, definition }) => {
    const text = `${definition.name} ${definition.description ?? ''}`;
    return { id, score: words.filter((word) => text.includes(word)).length };
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ id }) => id);
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
