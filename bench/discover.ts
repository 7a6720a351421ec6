/**
 * What each part of discovery is worth on public data sets, scored by the neutral kit beside the
 * project. Memory and questions are split by the kit; small sets are cross-validated as well.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Discovery } from '../src/discovery/index.js';
import {
  COLD_MODEL,
  MEMORY_MODEL,
  type Model,
  rankCandidates,
  signalValues,
} from '../src/ranking/index.js';
import type { Store } from '../src/store/index.js';
import { dataFile, kit, requireKit, writeLines } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readRows } from './data/rows.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, type Report, type Row } from './report.js';

const RANKED = 50;
const FOLDS = 5;

interface DataSet {
  readonly name: string;
  readonly variant?: string;
  /** Whether past requests are given at all. */
  readonly hasMemory: boolean;
  /** Too small for one split to say much. */
  readonly isSmall?: boolean;
}

const SETS: readonly DataSet[] = [
  { name: 'livemcp', hasMemory: true, isSmall: true },
  { name: 'livemcp-subintents', hasMemory: true, isSmall: true },
  { name: 'ultratool', hasMemory: true },
  { name: 'toollinkos', hasMemory: true },
  { name: 'metatool', variant: 'single', hasMemory: true },
  { name: 'traject', variant: 'hard', hasMemory: true },
  { name: 'sealtools', hasMemory: true },
  { name: 'nestful', hasMemory: true },
  { name: 'toolret-apibank', hasMemory: false },
  { name: 'toolret-apigen', hasMemory: false },
  { name: 'toolret-gorilla-huggingface', hasMemory: false },
  { name: 'toolret-toolink', hasMemory: false },
];

const METRICS = ['hit1', 'hit3', 'mrr', 'recall10', 'ndcg10'] as const;
type Scores = Readonly<Record<(typeof METRICS)[number] | 'questions', number>>;

const PARTS = {
  'words (BM25)': { ...COLD_MODEL, weights: signalValues({ coverage: 1 }) },
  'meaning (vectors)': { ...COLD_MODEL, weights: signalValues({ meaning: 1 }) },
  fusion: COLD_MODEL,
  'fusion + memory': MEMORY_MODEL,
} satisfies Record<string, Model>;
const FULL = 'full (learned, gated)';

interface Line {
  readonly set: string;
  readonly part: string;
  readonly scores: Scores;
}

interface QueryRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly variant?: string;
  readonly gold?: readonly unknown[];
}

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const sets = SETS.filter(({ name }) => !wanted || wanted.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'pml-discover-'));
  await using store = await vectorStore(values['data']);
  const lines: Line[] = [];
  try {
    for (const set of sets) {
      const began = Date.now();
      lines.push(...(await scoreSplit(set, { store, folder })));
      if (set.isSmall) lines.push(...(await crossValidate(set, { store, folder })));
      const seconds = Math.round((Date.now() - began) / 1_000);
      process.stderr.write(`${set.name} done in ${seconds} s\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...createReport('discover', lines.flatMap(toRows)), text: showLines(lines) };
}

interface Place {
  readonly store: Store;
  readonly folder: string;
}

async function scoreSplit(set: DataSet, { store, folder }: Place): Promise<readonly Line[]> {
  const queries = dataFile(set.name, 'queries.jsonl');
  const out = join(folder, set.name);
  kit('split', '--queries', queries, '--out', out);
  const validation = set.hasMemory ? join(out, 'validation.jsonl') : queries;
  const memory = set.hasMemory ? readRows(join(out, 'memory.jsonl')) : [];
  const answers = await answer(set, { store, memory, questions: asked(validation, set) });
  return score(set.name, answers, { queries: validation, set, folder });
}

/** Every request is asked once, with all others but those of its fold as memory. */
async function crossValidate(set: DataSet, { store, folder }: Place): Promise<readonly Line[]> {
  const queries = dataFile(set.name, 'queries.jsonl');
  const rows = readRows(queries) as readonly QueryRow[];
  const answers = new Map<string, string[]>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const memory = rows.filter((row) => foldOf(row) !== fold);
    const questions = rows.filter((row) => foldOf(row) === fold);
    for (const [part, lines] of await answer(set, { store, memory, questions })) {
      answers.set(part, [...(answers.get(part) ?? []), ...lines]);
    }
  }
  return score(`${set.name}, ${FOLDS}-fold`, answers, { queries, set, folder });
}

function foldOf({ id, group }: QueryRow): number {
  const hash = createHash('sha256')
    .update(`fold:${group ?? id}`)
    .digest();
  return Math.floor((hash.readUInt32BE(0) / 2 ** 32) * FOLDS);
}

function asked(queries: string, { variant }: DataSet): readonly QueryRow[] {
  const rows = readRows(queries) as readonly QueryRow[];
  return rows.filter((row) => !variant || row.variant === variant);
}

interface Asked {
  readonly store: Store;
  readonly memory: readonly unknown[];
  readonly questions: readonly QueryRow[];
}

/** Lines of an answer file for each part. */
async function answer(
  { name }: DataSet,
  { store, memory, questions }: Asked,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tools = readToolSet(dataFile(name, 'tools.jsonl'));
  const say = (text: string) => void process.stderr.write(`${name}: ${text}\n`);
  await using ready = await readyDiscovery({ store, tools, memory, say });
  const { discovery } = ready;
  const lines = new Map<string, string[]>();
  for (const { id, query } of questions) {
    for (const [part, ranked] of await rankings(discovery, query, tools)) {
      lines.set(part, [...(lines.get(part) ?? []), JSON.stringify({ id, ranked })]);
    }
  }
  return lines;
}

async function rankings(discovery: Discovery, query: string, { nameOf }: ToolSet) {
  const { tools } = await discovery.weigh(query);
  const full = await discovery.rank(query, { shown: RANKED });
  const ids = (ranked: typeof full.tools) =>
    ranked.slice(0, RANKED).map(({ tool }) => nameOf.get(tool.id));
  const parts = Object.entries(PARTS).map(
    ([part, model]) => [part, ids(rankCandidates(tools, model))] as const,
  );
  return [...parts, [FULL, ids(full.tools)] as const];
}

function score(
  name: string,
  answers: ReadonlyMap<string, readonly string[]>,
  { queries, set, folder }: { queries: string; set: DataSet; folder: string },
): readonly Line[] {
  return Array.from(answers, ([part, lines]) => {
    const pred = join(folder, 'answers.jsonl');
    writeLines(pred, lines);
    const variant = set.variant ? ['--variant', set.variant] : [];
    const printed = kit(
      'score',
      'discover',
      '--queries',
      queries,
      ...variant,
      '--pred',
      pred,
      '--json',
    );
    return { set: name, part, scores: JSON.parse(printed) as Scores };
  });
}

function toRows({ set, part, scores }: Line): readonly Row[] {
  return METRICS.map((metric) => ({
    name: `${set}: ${part}: ${metric}`,
    value: 100 * scores[metric],
    unit: '%',
    n: scores.questions,
  }));
}

function showLines(lines: readonly Line[]): string {
  const widths = { set: 30, part: 24, number: 8 };
  const head = ['set'.padEnd(widths.set), 'part'.padEnd(widths.part)];
  const titles = ['Hit@1', 'Hit@3', 'MRR', 'R@10', 'NDCG@10', 'n'];
  const shown = lines.map(({ set, part, scores }) =>
    [
      set.padEnd(widths.set),
      part.padEnd(widths.part),
      ...METRICS.map((metric) => (100 * scores[metric]).toFixed(1).padStart(widths.number)),
      String(scores.questions).padStart(widths.number),
    ].join(''),
  );
  return [[...head, ...titles.map((title) => title.padStart(widths.number))].join(''), ...shown]
    .join('\n')
    .concat('\n');
}
