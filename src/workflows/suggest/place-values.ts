import type { Task, ToolId } from '../../core/index.js';
import { readReferences } from '../../plan/index.js';
import { type FilledPlan, unplacedValues } from '../../planner/index.js';
import { type Suggestion, withWholes } from '../../suggest/index.js';
import type { CompletedSuggestion } from './complete-suggestion.js';

export interface NamedValueOptions {
  readonly intent: string;
  /** Whether a tool only reads: leaving it out changes nothing that the request wants changed. */
  readonly isReading: (tool: ToolId) => boolean;
  readonly fill: (suggestion: Suggestion) => FilledPlan;
}

/** A tool that is less likely is not tried, and of the others so many. */
const LEAST_LIKELY = 0.1;
const MOST_TRIED = 4;

/**
 * What a request names, some step must take. If the plan ignores a value of the request, the value shows
 * that the plan has a step too many or one too few:
 * - "book the hotel H-7" needs no search for hotels: steps that look up what the request already names
 *   are left out.
 * - "… and save it in notes.txt" needs a step that takes the file: the likeliest tool that does is added.
 * Either is done only if the plan then takes the value and lacks nothing more than before.
 */
export function placeNamedValues(
  completed: CompletedSuggestion,
  options: NamedValueOptions,
): CompletedSuggestion {
  const ignored = unplacedValues(options.intent, completed.filled.plan.tasks);
  if (ignored.length === 0) return completed;
  const changed = [...smaller(completed, options), ...larger(completed)];
  for (const suggestion of changed) {
    const filled = options.fill(suggestion);
    const left = unplacedValues(options.intent, filled.plan.tasks);
    const isTaken = left.length < ignored.length && left.every((text) => ignored.includes(text));
    if (!isTaken || !lacksNoMore(filled, completed.filled)) continue;
    const next = { suggestion, filled };
    return left.length === 0 ? next : placeNamedValues(next, options);
  }
  return completed;
}

/** The plan without steps that only give a value to another, those nearest to the end first. */
function smaller(
  { suggestion, filled }: CompletedSuggestion,
  { isReading }: NamedValueOptions,
): readonly Suggestion[] {
  const { tasks } = filled.plan;
  return tasks.toReversed().flatMap(({ id, tool }) => {
    if (!isReading(tool) || !tasks.some((task) => takesFrom(task, id))) return [];
    const gone = new Set(onlyFor(id, tasks).map((task) => task.tool));
    return [...gone].every(isReading) ? [without(suggestion, gone)] : [];
  });
}

/** The plan with one more step, the likeliest first; a capability that does just all of it is one step. */
function larger({ suggestion }: CompletedSuggestion): readonly Suggestion[] {
  const { members, others } = suggestion;
  return others
    .filter(({ probability }) => probability >= LEAST_LIKELY)
    .slice(0, MOST_TRIED)
    .map((one) => {
      const more = {
        ...suggestion,
        members: [...members, one],
        others: others.filter((other) => other !== one),
      };
      return { ...more, ...withWholes(more, suggestion.evidence) };
    });
}

/** Whether an argument of the task is a result of the other. */
export function takesFrom(task: Task, giver: Task['id']): boolean {
  return readReferences(task).some((one) => one.task === giver);
}

/** A step, and the steps whose results go to it alone, directly or through each other. */
function onlyFor(id: Task['id'], tasks: readonly Task[]): readonly Task[] {
  const gone = new Set([id]);
  for (const { id: giver } of tasks.toReversed()) {
    const takers = tasks.filter((task) => takesFrom(task, giver));
    if (takers.length > 0 && takers.every((task) => gone.has(task.id))) gone.add(giver);
  }
  return tasks.filter((task) => gone.has(task.id));
}

/** The suggestion without some of its members, which could still be added. */
export function without(suggestion: Suggestion, gone: ReadonlySet<ToolId>): Suggestion {
  const stays = ({ tool }: { readonly tool: ToolId }) => !gone.has(tool);
  const isLinked = ({ from, to }: { readonly from: ToolId; readonly to: ToolId }) =>
    !gone.has(from) && !gone.has(to);
  return {
    ...suggestion,
    members: suggestion.members.filter(stays),
    others: [...suggestion.members.filter((one) => !stays(one)), ...suggestion.others],
    links: suggestion.links.filter(isLinked),
    broken: suggestion.broken.filter(isLinked),
  };
}

/** As much is known as before, of whatever tool: a capability lacks what the tools it replaces lacked. */
export function lacksNoMore({ holes }: FilledPlan, before: FilledPlan): boolean {
  const lacked = new Set(before.holes.map(({ param }) => param));
  return holes.length <= before.holes.length && holes.every(({ param }) => lacked.has(param));
}
