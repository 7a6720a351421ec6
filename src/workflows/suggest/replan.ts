import {
  isCapability,
  type Guesses,
  type JsonObject,
  PmlError,
  type RunState,
  type Task,
  type TaskId,
  type ToolId,
} from '../../core/index.js';
import { SUGGESTED_FROM, SURE } from '../../learning/index.js';
import { type Hole, isQuestion, unplacedValues } from '../../planner/index.js';
import type { NextStep, Suggestion, WeighedMember } from '../../suggest/index.js';
import { isSafe } from '../../tools/index.js';
import { type PlanOptions, planWorkflow } from '../plan/plan-workflow.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Workflows } from '../workflows.js';
import { fillBeside } from './fill-beside.js';
import { momentOfRun } from './moment-of-run.js';
import { recordSteps } from './record-decision.js';
import { type SuggestedWorkflow, suggestWorkflow } from './suggest-workflow.js';

const CANDIDATES = 5;

/** A task that was found for a requirement. */
export interface FoundStep {
  readonly task: Task['id'];
  readonly tool: ToolId;
  /** How likely the requirement wants this task, after what the run has done. */
  readonly probability: number;
  readonly args: JsonObject;
}

export interface FoundTasks {
  readonly tasks: readonly Task[];
  /** The same tasks, likeliest first. */
  readonly steps: readonly FoundStep[];
}

/**
 * Tasks for a new requirement of a run: the plan that the requirement alone would get, without tasks
 * that the run has already done. If the plan is not clear, throws an error that names the candidates or
 * the missing values, and the run does not change.
 */
export async function planRequirement(
  workflows: Workflows,
  requirement: string,
  options: PlanOptions & { readonly run: RunState },
): Promise<FoundTasks> {
  const { run } = options;
  await workflows.tools.readyToSearch();
  const done = doneIn(run);
  const asked = [run.intent, requirement].filter(Boolean).join('. ');
  const moment = momentOfRun(run, workflows.clients.trailOf(run.run).current);
  const following = done.length === 0 ? [] : await workflows.suggester.next(asked, done, moment);
  const isReading = (tool: ToolId) => isSafe(workflows.tools, tool);
  let others: readonly ToolId[] = [];
  const known: Known = { requirement, chanceOf: chances(following) };
  const suggested = await suggestWorkflow(workflows, requirement, {
    choose(suggestion) {
      others = suggestion.others.map(({ tool }) => tool);
      return chosen(workflows, suggestion, known);
    },
    fill: fillBeside({
      state: run,
      requirement,
      plannable: (ids) => plannablesOf(workflows, ids),
      isReading,
      // Tools that the run has already called are known to work here.
      givers: () => [...new Set([...done.toReversed(), ...others])].filter(isReading),
    }),
  });
  const { tasks } = suggested.filled.plan;
  const candidates = weighed(suggested.suggestion, known);
  recordSteps(workflows, run, {
    asked,
    done,
    following,
    threshold: SURE,
    wanted: [...new Set(tasks.map(({ tool }) => tool))],
    candidates,
  });
  assertClear(run, requirement, { suggested, candidates });
  const guessed = new Map(
    tasks.flatMap(({ id, guessed: own }): [TaskId, Guesses][] => (own ? [[id, own]] : [])),
  );
  const { plan } = await planWorkflow(workflows, tasks.map(asGiven), { ...options, guessed });
  return { tasks: plan.tasks, steps: stepsOf(plan.tasks, candidates) };
}

interface Known {
  readonly requirement: string;
  /** How likely a member is wanted, by itself or because it usually follows. */
  readonly chanceOf: (member: WeighedMember) => number;
}

function chances(following: readonly NextStep[]): Known['chanceOf'] {
  const after = new Map(following.map(({ tool, probability }) => [tool, probability]));
  return ({ tool, probability }) => 1 - (1 - probability) * (1 - (after.get(tool) ?? 0));
}

/**
 * The plan without unsure members. An unsure member stays if the whole plan is sure, or if a sure member
 * takes its result. For a question, the plan has no member that changes something.
 */
function chosen(
  workflows: Workflows,
  suggestion: Suggestion,
  { requirement, chanceOf }: Known,
): Suggestion {
  const onlyAsks = isQuestion(requirement);
  const isWholeSure = suggestion.confidence >= SUGGESTED_FROM;
  // A later step checks whether a capability serves a question: it can try the tools instead.
  const fits = ({ tool }: WeighedMember) =>
    !onlyAsks || isCapability(tool) || isSafe(workflows.tools, tool);
  const wanted = new Set(
    suggestion.members
      .filter((one) => fits(one) && (isWholeSure || chanceOf(one) >= SURE))
      .map(({ tool }) => tool),
  );
  // Members are in execution order, so a backward pass finds every member that feeds a kept member.
  for (const one of suggestion.members.toReversed()) {
    const isTaken = suggestion.links.some(({ from, to }) => from === one.tool && wanted.has(to));
    if (isTaken && fits(one)) wanted.add(one.tool);
  }
  const isIn = (tool: ToolId) => wanted.has(tool);
  return {
    ...suggestion,
    members: suggestion.members.filter(({ tool }) => isIn(tool)),
    others: [...suggestion.members.filter(({ tool }) => !isIn(tool)), ...suggestion.others],
    links: suggestion.links.filter(({ from, to }) => isIn(from) && isIn(to)),
    broken: suggestion.broken.filter(({ from, to }) => isIn(from) && isIn(to)),
  };
}

function weighed({ members, others }: Suggestion, { chanceOf }: Known): readonly WeighedMember[] {
  return [...members, ...others]
    .map((one) => ({ ...one, probability: chanceOf(one) }))
    .toSorted((a, b) => b.probability - a.probability);
}

interface Found {
  readonly suggested: SuggestedWorkflow;
  readonly candidates: readonly WeighedMember[];
}

/** Throws unless the plan has new tasks and no holes. */
function assertClear(
  run: RunState,
  requirement: string,
  { suggested: { suggestion, filled }, candidates }: Found,
): void {
  const tools = suggestion.members.map(({ tool }) => tool).join(' and ');
  if (suggestion.members.length === 0) {
    const named = candidates
      .slice(0, CANDIDATES)
      .map(({ tool, probability }) => `${tool} (${probability.toFixed(2)})`)
      .join(', ');
    throw unclear(`No tool clearly does "${requirement}"${named && `; nearest: ${named}`}`);
  }
  const { plan, holes } = filled;
  if (plan.tasks.length === 0) {
    throw unclear(`Run ${run.run} has already done "${requirement}" (${tools})`);
  }
  const own = run.tasks.map(({ task }) => task);
  const left = unplacedValues(requirement, [...plan.tasks, ...own]);
  const unheard = `No argument takes ${left.join(', ')}`;
  if (holes.length === 0) {
    // An argument has a value of past runs although the requirement names another value.
    if (left.length > 0 && plan.tasks.some(hasPastValue)) throw unclear(unheard);
    return;
  }
  const named = left.length === 0 ? '' : `\n${unheard}`;
  const problems = holes.map(describeHole);
  throw new PmlError(
    'ARGUMENTS_INVALID',
    `${tools} seems to do "${requirement}", but the run does not provide every argument:\n${problems.join('\n')}${named}\n${UNCHANGED}`,
    { details: { problems } },
  );
}

function hasPastValue({ guessed = {} }: Task): boolean {
  return Object.values(guessed).some(
    ({ source }) => source === 'past' || source === 'lifted default',
  );
}

const UNCHANGED = 'Nothing was changed: give "tasks" with replan or inject';

function unclear(what: string): PmlError {
  return new PmlError('PLAN_INVALID', `${what}. ${UNCHANGED}`);
}

function describeHole({ task, param, type, hint }: Hole): string {
  return `task ${task}: args.${param} is missing (${[type, hint].filter(Boolean).join('; ')})`;
}

/** The task as an agent would send it: PML parses and checks it like any other task. */
function asGiven({ id, tool, args, needs }: Task): JsonObject {
  return { id, tool, args, needs: [...needs] };
}

function stepsOf(
  tasks: readonly Task[],
  candidates: readonly WeighedMember[],
): readonly FoundStep[] {
  const known = new Map(candidates.map(({ tool, probability }) => [tool, probability]));
  // A step that was added for another step is as likely as that step.
  const chanceOf = ({ id, tool }: Task): number =>
    Math.max(
      known.get(tool) ?? 0,
      ...tasks.filter(({ needs }) => needs.includes(id)).map(chanceOf),
    );
  return tasks
    .map((task) => {
      const { id, tool, args } = task;
      return { task: id, tool, probability: chanceOf(task), args };
    })
    .toSorted((a, b) => b.probability - a.probability);
}

function doneIn(run: RunState): readonly ToolId[] {
  const own = run.tasks.filter(({ task }) => task.parent === undefined);
  return own.flatMap(({ status, task }) => (status === 'completed' ? [task.tool] : []));
}
