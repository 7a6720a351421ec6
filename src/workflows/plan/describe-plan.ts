import type { ApprovalMode, JsonObject, Task, TaskId, ToolResult } from '../../core/index.js';
import { orderTasks, readReferences } from '../../plan/index.js';
import type { CompletedPlan, Hole } from '../../planner/index.js';
import { shortLine } from '../../results/index.js';
import { fitValue, shareOf } from '../run/workflow-answer.js';
import type { Workflows } from '../workflows.js';
import { askAboutGuesses } from './doubtful-guesses.js';
import { guessLines } from './guess-lines.js';

export interface PlanStyle {
  readonly approve: ApprovalMode;
  /** Adds layers, bindings with their reasons, and all other evidence for the plan. */
  readonly isFull: boolean;
}

const SHOWN_TYPE = 60;
const GUESSED = 'PML filled in values by itself (see "filled")';

/** Ends every short answer: it says how the agent gets the long answer. */
export const HOW_TO_GET_MORE = 'detail=full';

const NOTHING_RAN =
  'Nothing ran. PML filled in the values that "filled" names; all others are yours';

/** The answer to a dry run: the calls in their order, with their arguments and approvals. */
export function describePlan(
  workflows: Workflows,
  completed: CompletedPlan,
  style: PlanStyle,
): ToolResult {
  return answerWith({
    status: 'suggested',
    next: NOTHING_RAN,
    ...planParts(workflows, completed, style),
    ...(style.isFull ? fullPlanParts(completed) : { more: HOW_TO_GET_MORE }),
  });
}

export function answerWith(answer: object): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer as JsonObject,
  };
}

/** The part that every answer with a plan has. It is short, because the agent pays for each word. */
export function planParts(
  workflows: Workflows,
  { plan, holes }: CompletedPlan,
  { approve, isFull }: PlanStyle,
) {
  const fit = shareOf(workflows.tools.settings.limits, plan.tasks.length, workflows.results);
  const approvals = approvalsOf(workflows, plan.tasks, { approve, isFull });
  const filled = isFull ? linesWithReasons(plan.tasks) : guessLines(plan.tasks);
  return {
    tasks: plan.tasks.map((task) => {
      const { id, tool } = task;
      const args = fitValue(task.args, fit);
      const isWhole = args === task.args;
      const needs = isWhole && !isFull ? needsUntold(task) : task.needs;
      return { id, tool, args, ...((isFull || needs.length > 0) && { needs }) };
    }),
    ...(filled.length > 0 && { filled }),
    holes: isFull ? holes : holes.map(shortHole),
    approvals: isFull ? approvals : approvals.map(({ task, because }) => ({ task, because })),
  };
}

/** Without needs that a reference in the arguments already shows. */
function needsUntold(task: Task): readonly TaskId[] {
  const told = new Set(readReferences(task).map(({ task: from }) => from));
  return task.needs.filter((need) => !told.has(need));
}

/** Without the description, which the schema has. The type is short, but shows what to write. */
function shortHole({ description: _description, ...hole }: Hole) {
  return { ...hole, type: shortLine(hole.type, SHOWN_TYPE) };
}

/** The part that only an agent gets that asks for details. */
export function fullPlanParts({ plan, bindings, ambiguous, broken }: CompletedPlan) {
  return {
    layers: orderTasks(plan).map((layer) => layer.map(({ id }) => id)),
    bindings: bindings.map(({ from, path, to, param, score, reasons }) => ({
      from: path ? `${from}.${path}` : from,
      to: `${to}.${param}`,
      score: round(score),
      reasons: reasons.map(({ text }) => text),
    })),
    ...(ambiguous.length > 0 && {
      ambiguous: ambiguous.map(({ task, param, sources }) => ({
        param: `${task}.${param}`,
        sources: sources.map(({ task: from, path, score }) => ({
          from: path ? `${from}.${path}` : from,
          score: round(score),
        })),
      })),
    }),
    ...(broken.length > 0 && {
      broken: broken.map(({ from, to, score, cycle }) => ({
        edge: `${from} → ${to}`,
        score: round(score),
        cycle: cycle.join(' → '),
      })),
    }),
  };
}

function approvalsOf(workflows: Workflows, tasks: readonly Task[], { approve, isFull }: PlanStyle) {
  const first = new Set(orderTasks({ tasks })[0]?.map(({ id }) => id));
  return tasks.flatMap((task) => {
    const { id, tool } = task;
    const { ask } = workflows.tools.admit(tool, { approve });
    const guesses = askAboutGuesses(workflows, task, tasks);
    // The short answer names the guesses once, in "filled".
    const why = [ask?.why, guesses && !isFull ? GUESSED : guesses].filter(Boolean);
    if (why.length > 0) return [{ task: id, tool, because: why.join('; ') }];
    const isHeld = approve === 'per_layer' && !first.has(id);
    return isHeld ? [{ task: id, tool, because: 'the run stops after each layer' }] : [];
  });
}

/** `c.data ← b.parsed (0.91): the types fit`. */
function linesWithReasons(tasks: readonly Task[]): readonly string[] {
  return tasks.flatMap((task) => {
    const reasons = Object.values(task.guessed ?? {}).map(({ because }) => because);
    return guessLines([task]).map((line, place) => `${line}: ${reasons[place]}`);
  });
}

export const round = (score: number): number => Math.round(score * 100) / 100;
