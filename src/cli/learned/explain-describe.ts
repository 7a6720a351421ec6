import pc from 'picocolors';

import type { PlanExplanation } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { cutLine } from '../print/cut-line.js';
import { localTime } from '../print/format-time.js';
import { count, heading } from '../print/print.js';
import { describeReasons } from '../print/signal-words.js';
import { table } from '../print/table.js';

type Task = PlanExplanation['tasks'][number];

const MODES = {
  explicit_required: 'not sure enough: the agent has to name the tasks',
  suggestion: 'suggested: the agent checks the plan and runs it',
  speculative_execution: 'sure and read-only: the agent can run it as it is',
};
const MOST_TEXT = 80;
const MOST_VALUE = 60;
const SHOWN_REASONS = 4;

/** How likely the plan succeeds, and the weakest step if it is known to fail. */
function describeSuccess({ probability, runs, weakest }: NonNullable<PlanExplanation['success']>) {
  const { tool, calls, failed, kind, lastError } = weakest;
  const said = lastError === undefined ? '' : `: "${shorten(lastError)}"`;
  const how = kind === undefined ? '' : `, most often by ${kind}${said}`;
  const weak =
    failed === 0
      ? ''
      : ` Weakest: ${visible(tool)} failed in ${count(failed)} of ${count(calls)} calls${how}.`;
  const past = `${count(runs)} past ${runs === 1 ? 'run' : 'runs'}`;
  return `Probability that it completes: ${Math.round(probability * 100)} % (${past}).${weak}`;
}

/** The plan for an intent, and why; `isVerbose` adds the scores and weights behind it. */
export function describePlanExplanation(
  plan: PlanExplanation,
  isVerbose = false,
): readonly string[] {
  const { mode, toolConfidence, threshold, model, tasks, alternatives } = plan;
  const weighed = section('Considered and left out', alternatives, ({ tool, score }) => [
    visible(tool),
    likelihood(score, isVerbose),
  ]);
  if (tasks.length === 0) {
    return [
      `No tool fits "${shorten(plan.intent)}" well enough to be planned. Say it in other words, or look with \`pml search\`.`,
      ...weighed,
    ];
  }
  const bound = `${toolConfidence >= threshold ? 'at least' : 'below'} ${threshold.toFixed(2)}`;
  return [
    `${heading(`${Math.round(toolConfidence * 100)} % sure of the tools`)}${isVerbose ? ` (${bound})` : ''}, ${MODES[mode]}.${isVerbose ? ` Weighed by ${visible(model)}.` : ''}`,
    `${Math.round(plan.confidence * 100)} % sure of the tools and all values that PML filled in.`,
    ...(plan.success ? [describeSuccess(plan.success)] : []),
    ...(plan.byMeaning ? [] : ['PML compared words alone: no model is loaded or configured.']),
    ...(plan.isReady
      ? []
      : ['It cannot run as it is: a value is missing, or a tool changes something.']),
    '',
    ...tasks.flatMap((task) => describeTask(task, isVerbose)),
    ...section('Values that go from one tool to another', plan.direct, (link) => [
      `${visible(link.from)} → ${visible(link.to)}`,
      likelihood(link.score, isVerbose),
      `in ${count(link.flowed)} of ${count(link.together)} executions`,
    ]),
    ...section(
      'Longer chains of values',
      isVerbose ? plan.transitive : [],
      ({ tools, score, flowed }) => [
        tools.map(visible).join(' → '),
        score.toFixed(2),
        `rarest link seen ${count(flowed)} times`,
      ],
    ),
    ...section(
      'Importance in the graph (PageRank)',
      isVerbose ? plan.pageRank : [],
      ({ tool, importance }) => [visible(tool), importance.toFixed(2)],
    ),
    ...section('Past executions like it', plan.runs, ({ id, at, intent, share, ok }) => [
      visible(id),
      at === undefined ? '' : localTime(at),
      `${Math.round(share * 100)} %`,
      ok ? '' : pc.red('failed'),
      `"${shorten(intent)}"`,
    ]),
    ...section('What speaks against it', plan.against, ({ tool, isInPlan, because, share }) => [
      visible(tool),
      ...(isVerbose ? [share === undefined ? '' : share.toFixed(2)] : []),
      isInPlan ? '' : 'left out',
      visible(because),
    ]),
    ...section('Capabilities that do several tasks at once', plan.capabilities, (one) => [
      visible(one.capability),
      `instead of ${one.insteadOf.map(visible).join(', ')}`,
    ]),
    ...weighed,
  ];
}

function describeTask(task: Task, isVerbose: boolean): readonly string[] {
  const { id, tool, layer, needs, score, signals, heads = [], args, holes } = task;
  const after = needs.length > 0 ? `, after ${needs.map(visible).join(', ')}` : '';
  const reasons = describeReasons(signals, SHOWN_REASONS);
  const weights = signals.map(({ signal, share }) => `${signal} ${signed(share)}`);
  return [
    `${layer + 1}. ${heading(visible(id))}  ${visible(tool)}  ${likelihood(score, isVerbose)}${after}`,
    ...(reasons.length > 0 ? [pc.dim(`   because ${reasons.join(', ')}`)] : []),
    ...(isVerbose && weights.length > 0 ? [pc.dim(`   weights: ${weights.join(', ')}`)] : []),
    ...heads.map(({ because }) => pc.dim(`   because ${visible(because)}`)),
    ...args.map(({ param, value, from, score: sure, because, run }) => {
      const source = from === undefined ? cutLine(JSON.stringify(value), MOST_VALUE) : `← ${from}`;
      const ofRun = run === undefined ? '' : ` (${visible(run)})`;
      return `   ${visible(param)} ${from === undefined ? '= ' : ''}${visible(source)}  ${pc.dim(`${likelihood(sure, isVerbose)}, ${visible(because)}${ofRun}`)}`;
    }),
    ...holes.map(({ param, type, hint }) => {
      const told = hint === undefined ? '' : `; ${visible(hint)}`;
      return `   ${pc.yellow(`${visible(param)} is missing`)}: ${visible(type)}${told}`;
    }),
  ];
}

/** Empty if it has no rows. */
function section<Row>(
  title: string,
  rows: readonly Row[],
  cells: (row: Row) => readonly string[],
): readonly string[] {
  if (rows.length === 0) return [];
  const lines = table(rows.map(cells)).split('\n');
  return ['', heading(title), ...lines.map((line) => `  ${line}`)];
}

function shorten(intent: string): string {
  return visible(cutLine(intent, MOST_TEXT));
}

/** A share as people say it; to the second digit where weights are shown. */
function likelihood(share: number, isVerbose: boolean): string {
  return isVerbose ? share.toFixed(2) : `${Math.round(share * 100)} %`;
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
