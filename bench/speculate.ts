/**
 * Exact next calls on recorded runs at real servers: the split of the kit, scored by the kit beside
 * its baselines; repeated folds by task with intervals; what each source of tools and arguments is
 * worth; time of one prediction. `[--folds 5x5] [--tasks kit,folds,ablation,speed] [--data DIR]`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import type { ToolId } from '../src/core/index.js';
import { CallModel, type CallModelOptions } from '../src/speculation/predict/call-model.js';
import { CALL_SIGNALS, SHIPPED_CONFIDENCE } from '../src/speculation/predict/confidence.js';
import {
  momentsOf,
  rankProposals,
  replaySession,
} from '../src/speculation/predict/recorded-session.js';
import { run as answer } from './answer.js';
import { confidenceOf, readyPredictor } from './data/call-answers.js';
import { dataFile, kit, requireKit, writeLines } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { type RecordedRun, readRecordedRuns } from './data/recorded-calls.js';
import { readRows } from './data/rows.js';
import { seededRandom } from './data/seeded-random.js';
import {
  figuresAt,
  hitRate,
  intervalOf,
  LEVELS,
  scoreMoment,
  type ScoredMoment,
} from './data/speculation-figures.js';
import { syntheticSessions } from './data/synthetic-sessions.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, median, quantile, type Report } from './report.js';

const SET = 'toolathlon';

export async function run(options: BenchOptions): Promise<Report> {
  requireKit();
  const { values } = options;
  const tasks = (values['tasks'] ?? 'kit,folds,ablation,speed').split(',');
  const [repetitions = 5, folds = 5] = (values['folds'] ?? '5x5').split('x').map(Number);
  const toolSet = readToolSet(dataFile(SET, 'tools.jsonl'));
  const directory = mkdtempSync(join(tmpdir(), 'pml-speculate-'));
  const lines: string[] = [];
  const say = (text: string) => {
    lines.push(text);
    process.stderr.write(`${text}\n`);
  };
  try {
    kit('split', '--queries', dataFile(SET, 'calls.jsonl'), '--out', directory);
    const memory = readRecordedRuns(join(directory, 'memory.jsonl'), toolSet);
    if (tasks.includes('kit')) say(await scoredByKit(directory, memory, options));
    if (tasks.includes('folds')) say(foldsTable(memory, { toolSet, repetitions, folds }));
    if (tasks.includes('ablation')) say(ablation(memory, { toolSet, folds }));
    if (tasks.includes('speed')) say(await speed());
  } finally {
    rmSync(directory, { recursive: true });
  }
  return { ...createReport('speculate', []), text: `${lines.join('\n\n')}\n` };
}

/** The held-out validation part, scored like an external scorer does. */
async function scoredByKit(
  directory: string,
  memory: readonly RecordedRun[],
  options: BenchOptions,
): Promise<string> {
  const file = (name: string) => join(directory, name);
  const groups = new Set(memory.map(({ group }) => group));
  const ids = new Set(memory.map(({ id }) => id));
  keepRows('queries.jsonl', file('queries.jsonl'), ({ id, group }) => groups.has(group ?? id));
  keepRows('traces.jsonl', file('traces.jsonl'), ({ id }) => ids.has(id));
  const calls = file('validation.jsonl');
  kit('ask', 'speculate', '--calls', calls, '--out', file('questions.jsonl'));
  await answer({
    ...options,
    positionals: ['answer', 'speculate'],
    values: {
      ...options.values,
      tools: dataFile(SET, 'tools.jsonl'),
      memory: file('queries.jsonl'),
      traces: file('traces.jsonl'),
      calls: file('memory.jsonl'),
      questions: file('questions.jsonl'),
      out: file('answers.jsonl'),
    },
  });
  const ours = kit('score', 'speculate', '--calls', calls, '--pred', file('answers.jsonl'));
  const others = kit('baseline', 'speculate', '--calls', calls, '--memory', file('memory.jsonl'));
  return `validation part, scored by the kit\n${ours}\n${others}`;
}

interface SetRow {
  readonly id: string;
  readonly group?: string;
}

function keepRows(name: string, out: string, isKept: (row: SetRow) => boolean): void {
  const rows = readRows(dataFile(SET, name)) as readonly SetRow[];
  writeLines(
    out,
    rows.filter(isKept).map((row) => JSON.stringify(row)),
  );
}

interface FoldOptions {
  readonly toolSet: ToolSet;
  readonly folds: number;
  readonly repetition?: number;
  readonly model?: CallModelOptions;
  readonly weights?: Float64Array;
}

/** Asks about each run of memory once, with a model that has seen no run of its task. */
function askFolds(runs: readonly RecordedRun[], options: FoldOptions): readonly ScoredMoment[] {
  const { folds, model, repetition = 0 } = options;
  const random = seededRandom(100 + repetition);
  const order = [...new Set(runs.map(({ group }) => group))]
    .map((group) => ({ group, at: random() }))
    .toSorted((one, other) => one.at - other.at);
  const foldOf = new Map(order.map(({ group }, place) => [group, place % folds]));
  return Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const known = runs.filter(({ group }) => foldOf.get(group) !== fold);
    const weights = options.weights ?? confidenceOf(known, model);
    const learned = new CallModel(model);
    for (const one of known) replaySession(learned, one);
    return runs
      .filter(({ group }) => foldOf.get(group) === fold)
      .flatMap((one) =>
        momentsOf(one).map((moment) => {
          const ranked = rankProposals(learned.propose(moment), weights);
          return scoreMoment(one.group, ranked, moment.next, (tool) =>
            isReadingByName(tool, options.toolSet),
          );
        }),
      );
  });
}

const READS =
  /^(?:get|list|read|search|find|query|fetch|describe|view|show|check|count|status|info|details|metadata|snapshot|retrieve|head|tree|diff|log|lookup|browse)$/;
const WRITES =
  /^(?:create|write|update|delete|send|add|set|insert|move|edit|post|patch|put|upload|download|load|export|import|enroll|submit|execute|run|click|type|fill|remove|copy|save|format|navigate|start|stop|apply|scale|merge|rename|fork|push|commit|close|open|select|resize|claim|generic|forward)$/;

/** The rule of the kit, for comparable figures. The daemon has a stricter one of its own. */
function isReadingByName(id: string, { nameOf }: ToolSet): boolean {
  const name = nameOf.get(id as ToolId) ?? id;
  const words = name
    .slice(name.indexOf(':') + 1)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => READS.test(word)) && !words.some((word) => WRITES.test(word));
}

function foldsTable(
  runs: readonly RecordedRun[],
  { toolSet, repetitions, folds }: FoldOptions & { readonly repetitions: number },
): string {
  const all = Array.from({ length: repetitions }, (_, repetition) =>
    askFolds(runs, { toolSet, folds, repetition }),
  ).flat();
  const hits = (['toolHit1', 'toolHit3', 'callHit1', 'callHit3'] as const).map((hit) => {
    const [low, high] = intervalOf(all, (some) => hitRate(some, hit));
    return `${hit} ${percent(hitRate(all, hit))} % (95 %: ${percent(low)} to ${percent(high)})`;
  });
  const levels = LEVELS.map((least) => {
    const at = figuresAt(all, least);
    const [low, high] = intervalOf(all, (some) => figuresAt(some, least).usefulShare);
    return `| ${least} | ${at.executed} | ${percent(at.usefulShare)} (${percent(low)} to ${percent(high)}) | ${percent(at.coverage)} | ${at.wastedPerHit.toFixed(2)} | ${at.savedSeconds.toFixed(3)} |`;
  });
  const weights = confidenceOf(runs);
  return [
    `memory part, ${repetitions} times ${folds} folds by task, ${all.length} moments`,
    ...hits,
    '| confidence | executed | useful % | coverage % | wasted per hit | seconds saved a turn |',
    '|---|---|---|---|---|---|',
    ...levels,
    `weights of the confidence: ${CALL_SIGNALS.map((name, at) => `${name} ${weights[at]!.toFixed(2)}`).join(', ')}`,
  ].join('\n');
}

/** Leaves out one source at a time, over the same folds. */
function ablation(runs: readonly RecordedRun[], { toolSet, folds }: FoldOptions): string {
  const without = (...classes: readonly string[]) => ({ without: new Set(classes) });
  const rows: readonly (readonly [string, Partial<FoldOptions>])[] = [
    ['as shipped', {}],
    ['without arguments of other tools', { model: without('arg', 'loop') }],
    ['without results', { model: without('result', 'results') }],
    ['without the request', { model: without('asked') }],
    ['without joined paths', { model: without('joined') }],
    ['without earlier calls of the tool', { model: without('own') }],
    ['without counting on', { model: without('count') }],
    ['without usual values', { model: without('usual') }],
    ['without loops of the session (tools)', { model: { shares: { session: 0 } } }],
    ['without places of recent tools', { model: { shares: { recent: 0 } } }],
    ['without words of names', { model: without('part') }],
  ];
  const lines = rows.map(([name, own]) => {
    // The few weights stay the same everywhere; only the predictions change.
    const all = askFolds(runs, { toolSet, folds, weights: SHIPPED_CONFIDENCE, ...own });
    const at = figuresAt(all, 0.7);
    const cells = (['toolHit1', 'toolHit3', 'callHit1', 'callHit3'] as const).map((hit) =>
      percent(hitRate(all, hit)),
    );
    process.stderr.write(`${name}: ${cells.join(' ')}\n`);
    return `| ${name} | ${cells.join(' | ')} | ${at.executed}, ${percent(at.usefulShare)} |`;
  });
  return [
    `memory part, ${folds} folds by task, one thing changed at a time`,
    '| | tool 1 | tool 3 | call 1 | call 3 | at 0.7: executed, useful % |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** One prediction after 50 calls, with 5,000 remembered ones. */
async function speed(): Promise<string> {
  const { toolSet, sessions, situations } = syntheticSessions({
    calls: 5_000,
    asked: 200,
    history: 50,
  });
  const predictor = readyPredictor({ toolSet, sessions, confidence: confidenceOf([]) });
  const times: number[] = [];
  const cpu: number[] = [];
  for (const situation of situations) {
    const before = process.cpuUsage();
    const start = performance.now();
    await predictor.predict(situation);
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1_000);
  }
  return [
    `one prediction, 50 calls of history, 5,000 remembered, n=${times.length}`,
    `median ${median(times).toFixed(2)} ms, P95 ${quantile(times, 0.95).toFixed(2)} ms; CPU median ${median(cpu).toFixed(2)} ms`,
  ].join('\n');
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
