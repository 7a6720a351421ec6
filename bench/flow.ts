/**
 * How well the planner tells which tool passes values to which, on public data sets, scored as the
 * neutral kit beside the project does. Memory and questions are split by the kit; as its validation
 * part is small, every question is also asked once with all others but those of its fold as memory.
 * For sets whose answers name parameters it also says what is filled without asking.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ToolId } from '../src/core/index.js';
import { mean, reliabilityCurve, SURE_OF_FLOW } from '../src/learning/index.js';
import type { PlannableTool } from '../src/planner/index.js';
import { inputParameters, outputFields } from '../src/schema/index.js';
import { bindingClaims } from './data/binding-claims.js';
import { bindingMemory, flowEdges, plannableTools } from './data/flow-answers.js';
import { dataFile, kit, requireKit, writeLines } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { readRows } from './data/rows.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, type Report, type Row } from './report.js';

const FOLDS = 5;
const SETS = [
  'nestful',
  'nestools',
  'tmdb',
  'traject',
  'toollinkos',
  'ultratool',
  'taskbench-mm-hard',
];

/** Every definition belongs to one task: there is nothing to remember. */
const WITHOUT_MEMORY = new Set(['nestools']);
/** Sets whose answers name the parameters. */
const WITH_PARAMETERS = new Set(['nestful', 'nestools']);

interface QueryRow {
  readonly id: string;
  readonly group?: string;
  readonly order?: readonly string[];
  readonly gold: readonly (readonly string[])[];
  readonly edges?: readonly { readonly s: string; readonly t: string; readonly param?: string }[];
}

interface Question {
  readonly id: string;
  readonly tools: readonly string[];
}

interface Scores {
  readonly questions: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',') ?? SETS;
  const folder = mkdtempSync(join(tmpdir(), 'pml-flow-'));
  try {
    return createReport(
      'flow',
      wanted.flatMap((set) => measure(set, folder)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(set: string, folder: string): readonly Row[] {
  const queries = dataFile(set, 'queries.jsonl');
  if (!existsSync(queries)) {
    process.stderr.write(`${set}: skipped, no data (${queries})\n`);
    return [];
  }
  const toolSet = readToolSet(dataFile(set, 'tools.jsonl'));
  const tools = plannableTools(toolSet);
  const split = join(folder, set);
  kit('split', '--queries', queries, '--out', split);
  const validation = join(split, 'validation.jsonl');
  const answer = (file: string, memoryRows: readonly unknown[]): readonly string[] => {
    const options = { toolSet, tools, memory: bindingMemory(memoryRows, toolSet) };
    return asked(file, split).map(({ id, tools: names }) =>
      JSON.stringify({ id, edges: flowEdges(names, options) }),
    );
  };
  const rows = readRows(queries) as readonly QueryRow[];
  const unaided = [
    ...toRows(`${set}, no memory`, score(queries, answer(queries, []), split)),
    ...toRows(`${set}, validation, no memory`, score(validation, answer(validation, []), split)),
    ...toRows(
      `${set}, equal names`,
      score(queries, equalNames(asked(queries, split), tools, toolSet), split),
    ),
    ...(WITH_PARAMETERS.has(set) ? surenessRows(set, rows, { toolSet, tools }) : []),
  ];
  if (WITHOUT_MEMORY.has(set)) return unaided;
  const folded = Array.from({ length: FOLDS }, (_, fold) => {
    const file = join(split, `fold-${fold}.jsonl`);
    writeLines(
      file,
      rows.filter((row) => foldOf(row) === fold).map((row) => JSON.stringify(row)),
    );
    return answer(
      file,
      rows.filter((row) => foldOf(row) !== fold),
    );
  });
  const remembered = readRows(join(split, 'memory.jsonl'));
  return [
    ...unaided,
    ...toRows(`${set}, validation`, score(validation, answer(validation, remembered), split)),
    ...toRows(`${set}, ${FOLDS}-fold`, score(queries, folded.flat(), split)),
  ];
}

interface KnownTools {
  readonly toolSet: ToolSet;
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
}

/** How far the probabilities of bindings can be believed, and what is filled without asking. */
function surenessRows(
  set: string,
  rows: readonly QueryRow[],
  { toolSet, tools }: KnownTools,
): readonly Row[] {
  const claims = rows
    .filter(({ edges = [] }) => edges.length > 0)
    .flatMap((row) => bindingClaims(row, toolSet, tools));
  const sure = claims.filter(({ confidence }) => confidence >= SURE_OF_FLOW);
  const share = (values: readonly boolean[]) => 100 * mean(values.map(Number));
  const n = claims.length;
  const at = `${set}, from ${SURE_OF_FLOW}`;
  return [
    {
      name: `${at}: precision of flows`,
      value: share(sure.map((one) => one.isRightEdge)),
      unit: '%',
      n: sure.length,
    },
    {
      name: `${at}: precision of parameters`,
      value: share(sure.map((one) => one.isRight)),
      unit: '%',
      n: sure.length,
    },
    { name: `${at}: coverage`, value: (100 * sure.length) / Math.max(1, n), unit: '%', n },
    {
      name: `${set}, bindings: ECE of parameters`,
      value: 100 * reliabilityCurve(claims).calibrationError,
      unit: '%',
      n,
    },
    ...reliabilityCurve(claims).bins.map(({ meanConfidence, shareRight, count }) => ({
      name: `${set}, bindings claimed ${meanConfidence.toFixed(2)}: right`,
      value: 100 * shareRight,
      unit: '%',
      n: count,
    })),
  ];
}

/** The simplest that could work: values go where a field and a parameter have the same name. */
function equalNames(
  questions: readonly Question[],
  tools: KnownTools['tools'],
  { idOf }: ToolSet,
): readonly string[] {
  const toolOf = (name: string) => tools.get(idOf.get(name)!);
  return questions.map(({ id, tools: names }) => {
    const edges = names.flatMap((from) => {
      const given = new Set(
        outputFields(toolOf(from)?.output?.schema ?? {}).map((field) => field.names.at(-1)),
      );
      return names
        .filter((to) => to !== from)
        .filter((to) =>
          inputParameters(toolOf(to)?.inputSchema ?? {}).some(({ path }) => given.has(path)),
        )
        .map((to) => [from, to]);
    });
    return JSON.stringify({ id, edges });
  });
}

function foldOf({ id, group }: QueryRow): number {
  const hash = createHash('sha256')
    .update(`fold:${group ?? id}`)
    .digest();
  return Math.floor((hash.readUInt32BE(0) / 2 ** 32) * FOLDS);
}

/** Questions as the kit asks them: without anything that gives the answer away. */
function asked(queries: string, folder: string): readonly Question[] {
  const file = join(folder, 'questions.jsonl');
  kit('ask', 'flow', '--queries', queries, '--out', file);
  return readRows(file) as readonly Question[];
}

function score(queries: string, answers: readonly string[], folder: string): Scores {
  const file = join(folder, 'answers.jsonl');
  writeLines(file, answers);
  return JSON.parse(kit('score', 'flow', '--queries', queries, '--pred', file, '--json')) as Scores;
}

function toRows(name: string, { questions, precision, recall, f1 }: Scores): readonly Row[] {
  return Object.entries({ precision, recall, F1: f1 }).map(([metric, value]) => ({
    name: `${name}: ${metric}`,
    value: 100 * value,
    unit: '%',
    n: questions,
  }));
}
