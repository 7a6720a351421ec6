/**
 * How well PML suggests plans and next steps on public data sets, scored by the neutral kit beside
 * the project, against the simplest baseline; and whether suggested plans are right as often as
 * they claim. The weights never saw the set. `--folds 10x5` asks recorded runs for the next step in
 * ten times five folds, with an interval.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { type Discovery, readTraces } from '../src/discovery/index.js';
import {
  type Claim,
  type ReliabilityCurve,
  reliabilityCurve,
  SPECULATED_FROM,
} from '../src/learning/index.js';
import type { Store } from '../src/store/index.js';
import type { Suggester } from '../src/suggest/index.js';
import { calibrationNoise } from './data/calibration-noise.js';
import { dataFile, kit, requireKit, writeLines } from './data/kit.js';
import { modelsWithout } from './data/left-out-weights.js';
import { gainInterval, nextFolds, type PairedHit } from './data/next-folds.js';
import type { BenchOptions } from './data/options.js';
import {
  idsIn,
  nameIn,
  type NextAnswer,
  nextAnswer,
  NextQuestion,
  type PlanAnswer,
  planAnswer,
  Question,
} from './data/plan-answers.js';
import {
  type PlanningSet,
  PLANNING_SETS,
  type SplitSet,
  splitSet,
  wantedMembers,
} from './data/planning-sets.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readySuggester } from './data/ready-suggester.js';
import { momentIn } from './data/recorded-steps.js';
import { parseRows } from './data/rows.js';
import { seededRandom } from './data/seeded-random.js';
import { copyOfNearest, Followers } from './data/simplest-plans.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, median, type Report, type Row } from './report.js';

const PLAN_METRICS = { nodeF1: 'node F1', edgeF1: 'edge F1' } as const;
const NEXT_METRICS = { hit1: 'Hit@1', hit3: 'Hit@3' } as const;
const RANKED = 50;

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const sets = PLANNING_SETS.filter(({ name }) => !wanted || wanted.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'pml-plan-'));
  await using store = await vectorStore(values['data']);
  const rows: Row[] = [];
  try {
    const folds = values['folds'] === undefined ? undefined : readFolds(values['folds']);
    for (const set of sets) {
      if (!folds) rows.push(...(await measure(set, { store, folder })));
      else if (set.hasTraces) rows.push(...(await measureFolds(set.name, folds, store)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return createReport('plan', rows);
}

interface Place {
  readonly store: Store;
  readonly folder: string;
}

async function measure(set: PlanningSet, { store, folder }: Place): Promise<readonly Row[]> {
  if (!existsSync(dataFile(set.name, 'queries.jsonl'))) {
    process.stderr.write(`${set.name}: skipped, no data\n`);
    return [];
  }
  const began = performance.now();
  const split = splitSet(set, folder);
  const toolSet = readToolSet(dataFile(set.name, 'tools.jsonl'));
  const { memory } = split;
  const { name } = set;
  const rows = await learned({ name, store, toolSet, memory }, async (from) => [
    ...(set.tasks.includes('plan') ? await measurePlans(split, from) : []),
    ...(set.tasks.includes('next') ? await measureNext(split, from) : []),
  ]);
  const cold = set.tasks.includes('plan')
    ? await learned({ name, store, toolSet, memory: [] }, (from) => measureCold(split, from))
    : [];
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stderr.write(`${set.name} done in ${seconds} s\n`);
  return [...rows, ...cold];
}

interface Learned {
  readonly discovery: Discovery;
  readonly suggester: Suggester;
  readonly toolSet: ToolSet;
  readonly memory: readonly unknown[];
}

/** Answers of the models that learned from the memory. */
async function learned<Found>(
  {
    name,
    store,
    toolSet,
    memory,
    hasHeads = true,
  }: Pick<Learned, 'toolSet' | 'memory'> &
    Pick<Place, 'store'> & { readonly name: string; readonly hasHeads?: boolean },
  findOut: (from: Learned) => Promise<Found>,
): Promise<Found> {
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say: () => {} });
  const { discovery } = ready;
  const shipped = modelsWithout(name);
  const suggester = await readySuggester({ discovery, toolSet, memory, shipped, hasHeads });
  return await findOut({ discovery, suggester, toolSet, memory });
}

async function measurePlans(
  split: SplitSet,
  { discovery, suggester, toolSet }: Learned,
): Promise<readonly Row[]> {
  const right = wantedMembers(split);
  const times: number[] = [];
  const ours: PlanAnswer[] = [];
  const copied: PlanAnswer[] = [];
  const claims: Claim[] = [];
  const settled: boolean[] = [];
  for (const { id, query } of parseRows(split.ask('plan'), Question)) {
    await embedQuestion(discovery, query);
    const start = performance.now();
    const suggestion = await suggester.suggest(query);
    times.push(performance.now() - start);
    const answer = planAnswer(id, suggestion, toolSet);
    ours.push(answer);
    copied.push(copyOfNearest(id, suggestion, toolSet));
    const wanted = right.get(id) ?? new Set<string>();
    const isRight = isSame(answer.nodes, wanted);
    for (const { chosen, instead } of suggestion.settled ?? []) {
      const [now, before] = [chosen, instead].map((tool) => wanted.has(nameIn(toolSet, tool)));
      if (now !== before) settled.push(now === true);
    }
    claims.push({ confidence: suggestion.confidence, isRight });
  }
  const name = `${split.set.name}: plan`;
  return [
    ...compared(name, {
      metrics: PLAN_METRICS,
      ours: scored(split, 'plan', ours),
      simplest: scored(split, 'plan', copied),
      called: 'nearest past plan copied',
    }),
    { name: `${name}: time, without embedding`, value: median(times), unit: 'ms', n: times.length },
    ...curveRows(split.set.name, reliabilityCurve(claims)),
    ...noiseRows(split.set.name, claims),
    surelyRow(split.set.name, claims),
    {
      name: `${name}: equals settled by the past, where one of them was wanted: right`,
      value: (100 * settled.filter(Boolean).length) / settled.length,
      unit: '%',
      n: settled.length,
    },
  ];
}

/** Plans without any experience. */
async function measureCold(
  split: SplitSet,
  { discovery, suggester, toolSet }: Learned,
): Promise<readonly Row[]> {
  const answers: PlanAnswer[] = [];
  for (const { id, query } of parseRows(split.ask('plan'), Question)) {
    await embedQuestion(discovery, query);
    answers.push(planAnswer(id, await suggester.suggest(query), toolSet));
  }
  const scores = scored(split, 'plan', answers);
  return Object.entries(PLAN_METRICS).map(([metric, title]) => ({
    name: `${split.set.name}: plan ${title}: no memory`,
    value: 100 * (scores[metric] ?? NaN),
    unit: '%',
    n: answers.length,
  }));
}

async function measureNext(
  split: SplitSet,
  { discovery, suggester, toolSet, memory }: Learned,
): Promise<readonly Row[]> {
  const followers = followersOf(memory, toolSet);
  const times: number[] = [];
  const ours: NextAnswer[] = [];
  const simplest: NextAnswer[] = [];
  for (const question of parseRows(split.ask('next'), NextQuestion)) {
    const { id, query } = question;
    await embedQuestion(discovery, query);
    const start = performance.now();
    ours.push(await nextAnswer(question, suggester, toolSet));
    times.push(performance.now() - start);
    const { tools } = await discovery.weigh(query);
    const likely = tools.map(({ tool }) => tool.id);
    const ranked = followers.rank(idsIn(toolSet, question.done), likely).slice(0, RANKED);
    simplest.push({ id, ranked: ranked.map((tool) => nameIn(toolSet, tool)) });
  }
  const name = `${split.set.name}: next`;
  return [
    ...compared(name, {
      metrics: NEXT_METRICS,
      ours: scored(split, 'next', ours),
      simplest: scored(split, 'next', simplest),
      called: 'what followed most often, then discovery',
    }),
    { name: `${name}: time, without embedding`, value: median(times), unit: 'ms', n: times.length },
  ];
}

type Scores = Readonly<Record<string, number>>;

function scored(split: SplitSet, task: 'plan' | 'next', answers: readonly object[]): Scores {
  const pred = join(split.folder, 'answers.jsonl');
  writeLines(
    pred,
    answers.map((answer) => JSON.stringify(answer)),
  );
  return JSON.parse(kit('score', task, ...split.asked, '--pred', pred, '--json')) as Scores;
}

interface Comparison {
  /** Names of the kit and ours. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly ours: Scores;
  readonly simplest: Scores;
  readonly called: string;
}

/** Ratios are against the simplest. */
function compared(name: string, { metrics, ours, simplest, called }: Comparison): readonly Row[] {
  return Object.entries(metrics).flatMap(([metric, title]) => {
    const base = simplest[metric] ?? NaN;
    const row = (who: string, scores: Scores): Row => ({
      name: `${name} ${title}: ${who}`,
      value: 100 * (scores[metric] ?? NaN),
      unit: '%',
      n: scores['questions'] ?? 0,
    });
    return [
      { ...row('suggested', ours), ratio: (ours[metric] ?? NaN) / base },
      row(called, simplest),
    ];
  });
}

function curveRows(set: string, curve: ReliabilityCurve): readonly Row[] {
  const name = `${set}: confidence`;
  return [
    ...curve.bins.flatMap(({ from, to, count, meanConfidence, shareRight }): Row[] => {
      const bin = `${name} ${from.toFixed(1)} to ${to.toFixed(1)}`;
      return [
        { name: `${bin}: claimed`, value: 100 * meanConfidence, unit: '%', n: count },
        { name: `${bin}: came true`, value: 100 * shareRight, unit: '%', n: count },
      ];
    }),
    {
      name: `${name}: all members right`,
      value: 100 * curve.shareRight,
      unit: '%',
      n: curve.count,
    },
    {
      name: `${name}: expected calibration error`,
      value: 100 * curve.calibrationError,
      unit: '%',
      n: curve.count,
    },
  ];
}

/** The calibration error that so few claims have by chance, even if perfectly calibrated. */
function noiseRows(set: string, claims: readonly Claim[]): readonly Row[] {
  const { expected, most } = calibrationNoise(claims, seededRandom(1));
  const name = `${set}: confidence: calibration error by chance`;
  return [
    { name: `${name}, expected`, value: 100 * expected, unit: '%', n: claims.length },
    {
      name: `${name}, one in twenty has more than`,
      value: 100 * most,
      unit: '%',
      n: claims.length,
    },
  ];
}

/** Calls that PML may run before the agent asks must nearly always be right. */
function surelyRow(set: string, claims: readonly Claim[]): Row {
  const sure = claims.filter(({ confidence }) => confidence >= SPECULATED_FROM);
  const right = sure.filter(({ isRight }) => isRight).length;
  return {
    name: `${set}: confidence ${SPECULATED_FROM} or more: came true`,
    value: (100 * right) / sure.length,
    unit: '%',
    n: sure.length,
  };
}

interface FoldCounts {
  readonly repetitions: number;
  readonly folds: number;
}

function readFolds(text: string): FoldCounts {
  const [repetitions = NaN, folds = NaN] = text.split('x').map(Number);
  if (repetitions >= 1 && folds >= 2) return { repetitions, folds };
  throw new TypeError(`--folds: expected REPETITIONSxFOLDS such as 10x5, got ${text}`);
}

/** Requests in the same words share a fold, and all learning happens inside the folds. */
async function measureFolds(
  name: string,
  counts: FoldCounts,
  store: Store,
): Promise<readonly Row[]> {
  const toolSet = readToolSet(dataFile(name, 'tools.jsonl'));
  const hits: FoldHit[] = [];
  for (const { memory, asked } of nextFolds(name, counts)) {
    await learned(
      { name, store, toolSet, memory, hasHeads: false },
      async ({ discovery, suggester }) => {
        const followers = followersOf(memory, toolSet);
        const gate = suggester.status.learned?.heldOut.next.why ?? 'nothing learned';
        for (const { group, query, done, wanted, moment } of asked) {
          await embedQuestion(discovery, query);
          const question = { id: '', query, done: [...done] };
          const known = momentIn(toolSet, moment);
          const withMoment = await nextAnswer(question, suggester, toolSet, known);
          const named = await nextAnswer(question, suggester, toolSet);
          const { tools } = await discovery.weigh(query);
          const likely = tools.map(({ tool }) => tool.id);
          const simplest = followers.rank(idsIn(toolSet, done), likely);
          const placeIn = (ranked: readonly string[]) => ranked.indexOf(wanted) + 1 || Infinity;
          hits.push({
            group,
            ours: placeIn(withMoment.ranked),
            named: placeIn(named.ranked),
            simplest: placeIn(simplest.slice(0, RANKED).map((tool) => nameIn(toolSet, tool))),
          });
        }
        process.stderr.write(`${name}: ${soFar(hits)}; next steps: ${gate}\n`);
      },
    );
  }
  return ([1, 3] as const).flatMap((first) => foldRows(`${name}: next Hit@${first}`, hits, first));
}

/** Folds take long: their figures up to now, as ours, by names alone, the simplest. */
function soFar(hits: readonly FoldHit[]): string {
  const share = (first: number) =>
    (['ours', 'named', 'simplest'] as const)
      .map((who) => (100 * hits.filter((hit) => hit[who] <= first).length) / hits.length)
      .map((value) => value.toFixed(1))
      .join(' ');
  return `${hits.length} questions, Hit@1 ${share(1)}, Hit@3 ${share(3)}`;
}

/** The place of the wanted tool in each answer, from 1. */
interface FoldHit {
  readonly group: string;
  /** With arguments, results and searches of the session so far. */
  readonly ours: number;
  /** With the names of the called tools alone. */
  readonly named: number;
  readonly simplest: number;
}

function foldRows(name: string, hits: readonly FoldHit[], first: number): readonly Row[] {
  const share = (who: 'ours' | 'named' | 'simplest') =>
    (100 * hits.filter((hit) => hit[who] <= first).length) / hits.length;
  const row = (what: string, value: number): Row => {
    return { name: `${name}: ${what}`, value, unit: '%', n: hits.length };
  };
  const gains = (what: string, who: 'ours' | 'named') => {
    const paired = hits.map(({ group, simplest, ...places }): PairedHit => {
      return { group, ours: places[who] <= first, simplest: simplest <= first };
    });
    const { low, high } = gainInterval(paired);
    return [row(`${what}, from`, 100 * low), row(`${what}, to`, 100 * high)];
  };
  return [
    row('suggested', share('ours')),
    row('suggested, by names of tools alone', share('named')),
    row('what followed most often, then discovery', share('simplest')),
    ...gains('gain', 'ours'),
    ...gains('gain by names alone', 'named'),
  ];
}

function followersOf(memory: readonly unknown[], toolSet: ToolSet): Followers {
  const resolve = (text: string) => toolSet.idOf.get(text);
  return new Followers(readTraces(memory, { resolve, now: new Date(0) }).traces);
}

function isSame(nodes: readonly string[], wanted: ReadonlySet<string>): boolean {
  return nodes.length === wanted.size && nodes.every((node) => wanted.has(node));
}
