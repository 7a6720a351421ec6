import pc from 'picocolors';

import type { PlanExplanation } from '../../control/index.js';
import { visible } from '../../core/index.js';
import { cutLine } from '../print/cut-line.js';
import { localTime } from '../print/format-time.js';
import { count, heading, table } from '../print/print.js';

type Task = PlanExplanation['tasks'][number];

const MODES = {
  explicit_required: 'not sure enough: the agent has to name the tasks',
  suggestion: 'suggested: the agent checks the plan and runs it',
  speculative_execution: 'sure and read-only: the agent can run it as it is',
};
const MOST_TEXT = 80;
const MOST_VALUE = 60;

/** The plan for an intent, and why, for somebody at a terminal. */
export function describePlanExplanation(plan: PlanExplanation): readonly string[] {
  const { mode, confidence, threshold, model, tasks, alternatives } = plan;
  const weighed = section('Considered and left out', alternatives, ({ tool, score }) => [
    visible(tool),
    score.toFixed(2),
  ]);
  if (tasks.length === 0) {
    return [
      `No tool fits "${shorten(plan.intent)}" well enough to be planned. Say it in other words, or look with \`pml search\`.`,
      ...weighed,
    ];
  }
  const bound = `${confidence >= threshold ? 'at least' : 'below'} ${threshold.toFixed(2)}`;
  return [
    `${heading(`${Math.round(confidence * 100)} % sure`)} (${bound}), ${MODES[mode]}. Weighed by ${visible(model)}.`,
    ...(plan.byMeaning ? [] : ['PML compared words alone: no model is loaded or configured.']),
    ...(plan.isReady
      ? []
      : ['It cannot run as it is: a value is missing, or a tool changes something.']),
    '',
    ...tasks.flatMap(describeTask),
    ...section('Values that go from one tool to another', plan.direct, (link) => [
      `${visible(link.from)} → ${visible(link.to)}`,
      link.score.toFixed(2),
      `in ${count(link.flowed)} of ${count(link.together)} executions`,
    ]),
    ...section('Longer chains of values', plan.transitive, ({ tools, score, flowed }) => [
      tools.map(visible).join(' → '),
      score.toFixed(2),
      `rarest link seen ${count(flowed)} times`,
    ]),
    ...section('Importance in the graph (PageRank)', plan.pageRank, ({ tool, importance }) => [
      visible(tool),
      importance.toFixed(2),
    ]),
    ...section('Past executions like it', plan.runs, ({ id, at, intent, share, ok }) => [
      visible(id),
      at === undefined ? '' : localTime(at),
      `${Math.round(share * 100)} %`,
      ok ? '' : pc.red('failed'),
      `"${shorten(intent)}"`,
    ]),
    ...section('What speaks against it', plan.against, ({ tool, isInPlan, because, share }) => [
      visible(tool),
      share === undefined ? '' : share.toFixed(2),
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

function describeTask(task: Task): readonly string[] {
  const { id, tool, layer, needs, score, signals, heads = [], args, holes } = task;
  const after = needs.length > 0 ? `, after ${needs.map(visible).join(', ')}` : '';
  const reasons = signals.map(({ signal, share }) => `${signal} ${signed(share)}`);
  return [
    `${layer + 1}. ${heading(visible(id))}  ${visible(tool)}  ${score.toFixed(2)}${after}`,
    ...(reasons.length > 0 ? [pc.dim(`   because of ${reasons.join(', ')}`)] : []),
    ...heads.map(({ because }) => pc.dim(`   because ${visible(because)}`)),
    ...args.map(({ param, value, from, score: sure, because, run }) => {
      const source = from === undefined ? cutLine(JSON.stringify(value), MOST_VALUE) : `← ${from}`;
      const ofRun = run === undefined ? '' : ` (${visible(run)})`;
      return `   ${visible(param)} ${from === undefined ? '= ' : ''}${visible(source)}  ${pc.dim(`${sure.toFixed(2)}, ${visible(because)}${ofRun}`)}`;
    }),
    ...holes.map(({ param, type, hint }) => {
      const told = hint === undefined ? '' : `; ${visible(hint)}`;
      return `   ${pc.yellow(`${visible(param)} is missing`)}: ${visible(type)}${told}`;
    }),
  ];
}

/** Nothing where there is nothing to show. */
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

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
