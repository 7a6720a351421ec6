/**
 * How well plans and next steps are suggested on public data sets, scored by the neutral kit beside
 * the project, against the simplest that could be done in their place; and whether suggested plans
 * are right as often as they claim to be.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { readTraces } from '../src/discovery/index.js';
import type { Store } from '../src/store/index.js';
import { dataFile, kit, requireKit, writeLines } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import {
  idsIn,
  nameIn,
  nextAnswer,
  NextQuestion,
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
import { readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readySuggester } from './data/ready-suggester.js';
import { type Claim, type ReliabilityCurve, reliabilityCurve } from './data/reliability-curve.js';
import { parseRows } from './data/rows.js';
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
    for (const set of sets) rows.push(...(await measure(set, { store, folder })));
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
  const memory = { store, toolSet, rows: split.memory };
  const rows = [
    ...(set.tasks.includes('plan') ? await measurePlans(split, memory) : []),
    ...(set.tasks.includes('next') ? await measureNext(split, memory) : []),
  ];
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stderr.write(`${set.name} done in ${seconds} s\n`);
  return rows;
}

interface Remembered {
  readonly store: Store;
  readonly toolSet: ToolSet;
  readonly rows: readonly unknown[];
}

/** Asks every question of what was learned from the rows. */
async function ask<Asked, Answer>(
  { store, toolSet, rows }: Remembered,
  questions: readonly Asked[],
  answer: (question: Asked, from: Learned) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const say = () => {};
  await using ready = await readyDiscovery({ store, tools: toolSet, memory: rows, say });
  const { discovery } = ready;
  const suggester = await readySuggester({ discovery, toolSet, memory: rows });
  const answers: Answer[] = [];
  for (const question of questions) {
    answers.push(await answer(question, { discovery, suggester }));
  }
  return answers;
}

interface Learned {
  readonly discovery: Awaited<ReturnType<typeof readyDiscovery>>['discovery'];
  readonly suggester: Awaited<ReturnType<typeof readySuggester>>;
}

async function measurePlans(split: SplitSet, memory: Remembered): Promise<readonly Row[]> {
  const { toolSet } = memory;
  const questions = parseRows(split.ask('plan'), Question);
  const right = wantedMembers(split);
  const times: number[] = [];
  const answers = await ask(memory, questions, async ({ id, query }, { suggester }) => {
    const start = performance.now();
    const suggestion = await suggester.suggest(query);
    times.push(performance.now() - start);
    const ours = planAnswer(id, suggestion, toolSet);
    const isRight = isSame(ours.nodes, right.get(id) ?? new Set());
    const claim: Claim = { confidence: suggestion.confidence, isRight };
    return { ours, copied: copyOfNearest(id, suggestion, toolSet), claim };
  });
  const cold = await ask({ ...memory, rows: [] }, questions, async ({ id, query }, learned) =>
    planAnswer(id, await learned.suggester.suggest(query), toolSet),
  );
  const name = `${split.set.name}: plan`;
  return [
    ...compared(name, {
      metrics: PLAN_METRICS,
      ours: scored(
        split,
        'plan',
        answers.map(({ ours }) => ours),
      ),
      simplest: scored(
        split,
        'plan',
        answers.map(({ copied }) => copied),
      ),
      called: 'nearest past plan copied',
      others: { 'no memory': scored(split, 'plan', cold) },
    }),
    { name: `${name}: time, with embedding`, value: median(times), unit: 'ms', n: times.length },
    ...curveRows(split.set.name, reliabilityCurve(answers.map(({ claim }) => claim))),
  ];
}

async function measureNext(split: SplitSet, memory: Remembered): Promise<readonly Row[]> {
  const { toolSet, rows } = memory;
  const { traces } = readTraces(rows, {
    resolve: (text) => toolSet.idOf.get(text),
    now: new Date(0),
  });
  const followers = new Followers(traces);
  const questions = parseRows(split.ask('next'), NextQuestion);
  const times: number[] = [];
  const answers = await ask(memory, questions, async (question, { discovery, suggester }) => {
    const start = performance.now();
    const ours = await nextAnswer(question, suggester, toolSet);
    times.push(performance.now() - start);
    const { tools } = await discovery.weigh(question.query);
    const ranked = followers
      .rank(
        idsIn(toolSet, question.done),
        tools.map(({ tool }) => tool.id),
      )
      .slice(0, RANKED)
      .map((tool) => nameIn(toolSet, tool));
    return { ours, simplest: { id: question.id, ranked } };
  });
  const name = `${split.set.name}: next`;
  return [
    ...compared(name, {
      metrics: NEXT_METRICS,
      ours: scored(
        split,
        'next',
        answers.map(({ ours }) => ours),
      ),
      simplest: scored(
        split,
        'next',
        answers.map(({ simplest }) => simplest),
      ),
      called: 'what followed most often, then discovery',
    }),
    { name: `${name}: time, with embedding`, value: median(times), unit: 'ms', n: times.length },
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
  readonly others?: Readonly<Record<string, Scores>>;
}

/** Ratios are against the simplest. */
function compared(
  name: string,
  { metrics, ours, simplest, called, others = {} }: Comparison,
): readonly Row[] {
  return Object.entries(metrics).flatMap(([metric, title]) => {
    const base = simplest[metric] ?? NaN;
    const row = (who: string, scores: Scores): Row => ({
      name: `${name} ${title}: ${who}`,
      value: 100 * (scores[metric] ?? NaN),
      unit: '%',
      n: scores['questions'] ?? 0,
      ...(scores !== simplest && { ratio: (scores[metric] ?? NaN) / base }),
    });
    return [
      row('suggested', ours),
      row(called, simplest),
      ...Object.entries(others).map(([who, scores]) => row(who, scores)),
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

function isSame(nodes: readonly string[], wanted: ReadonlySet<string>): boolean {
  return nodes.length === wanted.size && nodes.every((node) => wanted.has(node));
}
