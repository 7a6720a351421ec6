/**
 * Whether neighbours in the graph of what is likely are worth weighing as members of a plan, and how
 * many of them: the more the denser the graph, or the more the sparser. On public data sets, scored
 * by the neutral kit beside the project.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { computeMetrics, KnowledgeGraph } from '../src/graph/index.js';
import {
  expandCandidates,
  expansionByMaturity,
  expansionBySparsity,
} from '../src/graph/scores/expand-candidates.js';
import type { Store } from '../src/store/index.js';
import type { Likely } from '../src/suggest/index.js';
import { memberSignals } from '../src/suggest/members/member-signals.js';
import { dataFile, kit, requireKit, writeLines } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { nameIn, planAnswer, Question } from './data/plan-answers.js';
import {
  PLANNING_SETS,
  type PlanningSet,
  type SplitSet,
  splitSet,
  wantedMembers,
} from './data/planning-sets.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readySuggester } from './data/ready-suggester.js';
import { parseRows } from './data/rows.js';
import { readToolSet } from './data/tool-set.js';
import { createReport, type Report, type Row } from './report.js';

/** So many of the likeliest bring in their neighbours: as many as bring in what they need anyway, and more. */
const SEEDS = [8, 20];
/** So many of what is likely are weighed as members. */
const WEIGHED = 40;

const DIRECTIONS = {
  none: () => 1,
  'more when dense': expansionByMaturity,
  'more when sparse': expansionBySparsity,
} as const;

interface Variant {
  readonly name: string;
  readonly seeds: number;
  readonly factorOf: (density: number) => number;
}

const VARIANTS: readonly Variant[] = [
  { name: 'none', seeds: 0, factorOf: DIRECTIONS.none },
  ...SEEDS.flatMap((seeds) =>
    (['more when dense', 'more when sparse'] as const).map((direction) => ({
      name: `${direction}, ${seeds} seeds`,
      seeds,
      factorOf: DIRECTIONS[direction],
    })),
  ),
];

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const sets = PLANNING_SETS.filter(
    ({ name, tasks }) => tasks.includes('plan') && (!wanted || wanted.includes(name)),
  );
  const folder = mkdtempSync(join(tmpdir(), 'pml-expansion-'));
  await using store = await vectorStore(values['data']);
  const rows: Row[] = [];
  try {
    for (const set of sets) rows.push(...(await measure(set, { store, folder })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return createReport('expansion', rows);
}

async function measure(
  set: PlanningSet,
  { store, folder }: { readonly store: Store; readonly folder: string },
): Promise<readonly Row[]> {
  if (!existsSync(dataFile(set.name, 'queries.jsonl'))) {
    process.stderr.write(`${set.name}: skipped, no data\n`);
    return [];
  }
  const split = splitSet(set, folder);
  const { memory } = split;
  const toolSet = readToolSet(dataFile(set.name, 'tools.jsonl'));
  const graph = new KnowledgeGraph();
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say: () => {} });
  const { discovery } = ready;
  let widen = (likely: readonly Likely[]) => likely;
  const suggester = await readySuggester({
    discovery,
    toolSet,
    memory,
    graph,
    widen: (likely) => widen(likely),
  });
  const { density } = computeMetrics(graph);
  const questions = parseRows(split.ask('plan'), Question);
  const wanted = wantedMembers(split);
  const tried = VARIANTS.map((variant) => ({
    ...variant,
    factor: variant.factorOf(density),
    lines: [] as string[],
    reached: [] as number[],
    weighed: [] as number[],
  }));
  for (const { id, query } of questions) {
    await embedQuestion(discovery, query);
    const right = [...(wanted.get(id) ?? [])];
    for (const { seeds, factor, lines, reached, weighed } of tried) {
      widen = (likely) => widened(likely, graph, { seeds, factor });
      const suggestion = await suggester.suggest(query);
      lines.push(JSON.stringify(planAnswer(id, suggestion, toolSet)));
      const candidates = new Set(
        memberSignals(suggestion.evidence).map(({ tool }) => nameIn(toolSet, tool)),
      );
      const found = right.filter((name) => candidates.has(name)).length;
      reached.push(found / Math.max(1, right.length));
      weighed.push(candidates.size);
    }
  }
  return [
    { name: `${set.name}: density of the graph`, value: 100 * density, unit: '%' },
    ...tried.flatMap(({ name, lines, reached, weighed }) => {
      const { questions: n, nodeF1, edgeF1 } = scored(split, lines);
      const row = (what: string, value: number, unit = '%'): Row => ({
        name: `${set.name}: ${name}: ${what}`,
        value,
        unit,
        n,
      });
      return [
        row('node F1', 100 * nodeF1),
        row('edge F1', 100 * edgeF1),
        row('wanted tools among the weighed', 100 * mean(reached)),
        row('tools weighed', mean(weighed), ''),
      ];
    }),
  ];
}

/** With neighbours of the likeliest among those that are weighed, in place of the least likely ones, never of the seeds. */
function widened(
  likely: readonly Likely[],
  graph: KnowledgeGraph,
  { seeds, factor }: { readonly seeds: number; readonly factor: number },
): readonly Likely[] {
  if (factor <= 1) return likely;
  const known = new Map(likely.map((one) => [one.tool, one]));
  const first = likely.slice(0, seeds).map(({ tool }) => tool);
  const isWeighed = new Set(likely.slice(0, WEIGHED).map(({ tool }) => tool));
  const found = expandCandidates(graph, first, { limit: first.length, factor })
    .filter((tool) => !isWeighed.has(tool))
    .slice(0, WEIGHED - first.length)
    .map((tool): Likely => known.get(tool) ?? { tool, probability: 0 });
  const kept = likely.slice(0, WEIGHED - found.length);
  return [...kept, ...found, ...likely.slice(kept.length)];
}

interface Scores {
  readonly questions: number;
  readonly nodeF1: number;
  readonly edgeF1: number;
}

function scored(split: SplitSet, lines: readonly string[]): Scores {
  const pred = join(split.folder, 'answers.jsonl');
  writeLines(pred, lines);
  return JSON.parse(kit('score', 'plan', ...split.asked, '--pred', pred, '--json')) as Scores;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
