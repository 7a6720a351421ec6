/**
 * Fits the weights of plans (members, links, confidence) and of next steps to public data sets: for each
 * set to all others, to be shown on it (see `data/left-out-weights.ts`), and to all sets that were not
 * recorded from agents at real servers. `--sets A,B`, `--tasks plan,next`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type ChoiceExample,
  f1,
  fitChoice,
  fitOdds,
  mean,
  reliabilityCurve,
  sigmoid,
  spreadOver,
  weigh,
} from '../src/learning/index.js';
import type { Store } from '../src/store/index.js';
import { CONFIDENCE_SIGNALS, confidenceSignals } from '../src/suggest/confidence.js';
import {
  DEFAULT_MODELS,
  FIXED_CONFIDENCE,
  FIXED_MEMBERS,
  type Models,
} from '../src/suggest/learn/models.js';
import { LINK_SIGNALS } from '../src/suggest/links/link-signals.js';
import { chooseMembers } from '../src/suggest/members/choose-members.js';
import { MEMBER_SIGNALS } from '../src/suggest/members/member-signals.js';
import { NEXT_SIGNALS, nextSignals } from '../src/suggest/next/next-signals.js';
import { dataFile, requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { idsIn, NextQuestion } from './data/plan-answers.js';
import { type PlanSample, planSamples } from './data/planning-samples.js';
import {
  type PlanningSet,
  PLANNING_SETS,
  recordedMomentsOf,
  splitSet,
  wantedNext,
} from './data/planning-sets.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readySuggester } from './data/ready-suggester.js';
import { momentIn } from './data/recorded-steps.js';
import { parseRows } from './data/rows.js';
import { readToolSet } from './data/tool-set.js';
import { createReport, type Report } from './report.js';

/** Of each set so many next steps: large ones must not outweigh the others. */
const MOST_STEPS = 150;
/** As if so many examples spoke for weights of 0. */
const HELD = { members: 20, links: 10, next: 5, confidence: 2 };

/** So many tools and remembered requests, as people have them. */
const CATALOGS = [
  [60, 0],
  [60, 15],
  [60, 60],
  [250, 30],
  [250, 200],
  [1_000, 500],
] as const;
/** Of each catalog so many requests. */
const ASKED = 30;

interface SampledSet {
  readonly name: string;
  readonly variant?: string;
  /** Recorded from agents at real servers: shown, and never fitted on. */
  readonly isReal?: boolean;
}

const PLAN_SETS: readonly SampledSet[] = [
  { name: 'ultratool' },
  { name: 'toollinkos' },
  { name: 'traject', variant: 'sequential' },
  { name: 'nestful' },
  { name: 'sealtools' },
  { name: 'metatool', variant: 'single' },
  { name: 'tmdb' },
  { name: 'nestools' },
  { name: 'tau2' },
  { name: 'livemcp', isReal: true },
  { name: 'toolathlon', isReal: true },
];

const pause = () => Promise.resolve();
const none = (signals: readonly string[]) => new Float64Array(signals.length);

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const tasks = values['tasks']?.split(',') ?? ['plan', 'next'];
  const isWanted = ({ name }: { readonly name: string }) => !wanted || wanted.includes(name);
  await using store = await vectorStore(values['data']);
  const lines = [
    ...(tasks.includes('plan') ? await planLines(PLAN_SETS.filter(isWanted), store) : []),
    ...(tasks.includes('next') ? await nextLines(PLANNING_SETS.filter(isWanted), store) : []),
  ];
  return { ...createReport('plan-weights', []), text: `${lines.join('\n')}\n` };
}

async function planLines(sets: readonly SampledSet[], store: Store): Promise<readonly string[]> {
  const samples: PlanSample[] = [];
  for (const { name, variant } of sets) {
    const some = await planSamples({
      set: name,
      variant,
      store,
      catalogs: CATALOGS,
      asked: ASKED,
    });
    samples.push(...some);
    process.stderr.write(`${name}: ${some.length} requests\n`);
  }
  const isReal = new Set(sets.flatMap((one) => (one.isReal ? [one.name] : [])));
  const fittable = samples.filter(({ set }) => !isReal.has(set));
  const lines: string[] = [];
  for (const { name } of sets) {
    const models = await fitPlans(fittable.filter(({ set }) => set !== name));
    const own = samples.filter(({ set }) => set === name);
    lines.push(`without ${name}`, `  confidence: ${told(models.confidence)}`);
    lines.push(`  never saw it: ${figures(own, models)}`);
    lines.push(`  as shipped:   ${figures(own, DEFAULT_MODELS)}`);
  }
  const all = await fitPlans(fittable);
  lines.push('with all but those of real servers');
  lines.push(...named('members', MEMBER_SIGNALS, all.members));
  lines.push(...named('links', LINK_SIGNALS, all.links));
  lines.push(...named('confidence', CONFIDENCE_SIGNALS, all.confidence));
  return lines;
}

async function fitPlans(samples: readonly PlanSample[]): Promise<Models> {
  const isFixedMember = (at: number) => FIXED_MEMBERS.has(MEMBER_SIGNALS[at]!);
  const members = await fitOdds(
    samples.map((one) => one.members),
    {
      prior: DEFAULT_MODELS.members.map((weight, at) => (isFixedMember(at) ? weight : 0)),
      pause,
      isFixed: isFixedMember,
      priorExamples: HELD.members,
    },
  );
  const links = await fitOdds(
    samples.flatMap((one) => one.links ?? []),
    { prior: none(LINK_SIGNALS), pause, priorExamples: HELD.links },
  );
  const isFixed = (at: number) => FIXED_CONFIDENCE.has(CONFIDENCE_SIGNALS[at]!);
  const confidence = await fitOdds(
    samples.flatMap((one) => judged(one, members)?.example ?? []),
    {
      prior: DEFAULT_MODELS.confidence.map((weight, at) => (isFixed(at) ? weight : 0)),
      pause,
      isFixed,
      priorExamples: HELD.confidence,
    },
  );
  return { ...DEFAULT_MODELS, members, links, confidence };
}

/** The plan that such weights make, and whether its members are just those that are wanted. */
function judged({ weighed, wanted, evidence }: PlanSample, weights: Float64Array) {
  const chosen = chooseMembers(weighed, weights);
  const tools = chosen.members.map(({ tool }) => tool);
  const hits = tools.filter((tool) => wanted.has(tool)).length;
  const isRight = hits === wanted.size && hits === tools.length;
  if (tools.length === 0) return undefined;
  const signals = confidenceSignals(chosen, evidence, weights);
  const example: ChoiceExample = { candidates: [signals], isRight: [isRight] };
  return { example, isRight, f1: f1(wanted, tools) };
}

function figures(samples: readonly PlanSample[], models: Models): string {
  const plans = samples.map((one) => judged(one, models.members));
  const claims = plans.flatMap((plan) =>
    plan
      ? [
          {
            confidence: sigmoid(weigh(plan.example.candidates[0]!, models.confidence)),
            isRight: plan.isRight,
          },
        ]
      : [],
  );
  const sure = claims.filter(({ confidence }) => confidence >= 0.85);
  const links = samples.flatMap((one) => one.links ?? []);
  const loss = links.flatMap(({ candidates, isRight }) =>
    candidates.map((values, at) => {
      const chance = sigmoid(weigh(values, models.links));
      return -Math.log(isRight[at] ? chance : 1 - chance);
    }),
  );
  return [
    `members F1 ${percent(mean(plans.map((plan) => plan?.f1 ?? 0)))}`,
    `exact ${percent(mean(plans.map((plan) => (plan?.isRight ? 1 : 0))))}`,
    `calibration error ${percent(reliabilityCurve(claims).calibrationError)}`,
    `sure ${sure.filter(({ isRight }) => isRight).length} of ${sure.length}`,
    `link loss ${loss.length > 0 ? mean(loss).toFixed(3) : 'none'}`,
    `n=${samples.length}`,
  ].join(', ');
}

async function nextLines(sets: readonly PlanningSet[], store: Store): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pml-plan-weights-'));
  const all: { readonly name: string; readonly steps: readonly ChoiceExample[] }[] = [];
  try {
    for (const set of sets.filter((one) => one.tasks.includes('next'))) {
      all.push({ name: set.name, steps: await nextExamples(set, folder, store) });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const fitted = (some: typeof all) =>
    fitChoice(
      some.flatMap(({ steps }) => steps),
      { prior: none(NEXT_SIGNALS), pause, priorExamples: HELD.next },
    );
  const lines: string[] = [];
  for (const { name } of all) {
    lines.push(`next without ${name}: ${told(await fitted(all.filter((o) => o.name !== name)))}`);
  }
  return [...lines, `next with all: ${told(await fitted(all))}`];
}

async function nextExamples(
  set: PlanningSet,
  folder: string,
  store: Store,
): Promise<readonly ChoiceExample[]> {
  const split = splitSet(set, folder);
  const { memory } = split;
  const toolSet = readToolSet(dataFile(set.name, 'tools.jsonl'));
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say: () => {} });
  const { discovery } = ready;
  const suggester = await readySuggester({ discovery, toolSet, memory });
  process.stderr.write(`${set.name}: learned from ${memory.length} rows\n`);
  const wanted = wantedNext(split);
  const momentOf = recordedMomentsOf(split);
  const asked = spreadOver(parseRows(split.ask('next'), NextQuestion), MOST_STEPS);
  const examples: ChoiceExample[] = [];
  for (const { id, query, done } of asked) {
    await embedQuestion(discovery, query);
    const { evidence } = await suggester.suggest(query);
    const right = toolSet.idOf.get(wanted.get(id) ?? '');
    const recorded = momentOf.get(id);
    const moment = recorded && momentIn(toolSet, recorded);
    const candidates = nextSignals(idsIn(toolSet, done), evidence, {
      serverTools: () => [],
      moment,
    });
    examples.push({
      candidates: candidates.map(({ signals }) => signals),
      isRight: candidates.map(({ tool }) => tool === right),
    });
  }
  return examples;
}

function named(model: string, signals: readonly string[], weights: Float64Array): string[] {
  return signals.map((signal, at) => `  ${model}: ${signal}: ${weights[at]!.toFixed(2)}`);
}

const told = (weights: Float64Array) => [...weights].map((weight) => weight.toFixed(2)).join(', ');
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
