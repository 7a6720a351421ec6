import type { JsonValue, Plan, Task, TaskId } from '../../core/index.js';
import { SURE } from '../../learning/index.js';
import { type ParsedPlan, referenceTo } from '../../plan/index.js';
import { inputParameters, type ToolParameter } from '../../schema/index.js';
import type { BrokenLink } from './choose-links.js';
import { type FlowLink, type FlowTask, inferFlow, type InferOptions } from './infer-flow.js';
import type { BindingReason } from './score-binding.js';

/** A value that goes from one task into a parameter of another. */
export interface InferredBinding {
  readonly from: TaskId;
  /** In the result of `from`; empty for all of it. */
  readonly path: string;
  readonly to: TaskId;
  readonly param: string;
  /** How likely it is meant, from 0 to 1. */
  readonly score: number;
  readonly reasons: readonly BindingReason[];
}

/** A parameter with several sources about as good; the task waits for all of them. */
export interface AmbiguousParameter {
  readonly task: TaskId;
  readonly param: string;
  /** Best first; the first one was taken. */
  readonly sources: readonly {
    readonly task: TaskId;
    readonly path?: string;
    readonly score: number;
  }[];
}

/** A required parameter nobody gives a value to. */
export interface Hole {
  readonly task: TaskId;
  readonly param: string;
  readonly type: string;
  readonly description?: string;
  /** Where the value probably comes from. */
  readonly hint?: string;
}

export interface CompletedPlan {
  readonly plan: Plan;
  readonly bindings: readonly InferredBinding[];
  readonly ambiguous: readonly AmbiguousParameter[];
  readonly broken: readonly BrokenLink[];
  readonly holes: readonly Hole[];
}

export interface CompletePlanOptions extends InferOptions {
  /** Tasks of the run the plan is added to: they may be sources and are never changed. */
  readonly existing?: readonly Task[];
}

/**
 * Gives required parameters that are missing a value: the one their schema names, or the result of
 * another task. Dependencies are only inferred for tasks that say nothing of theirs; what cannot be
 * filled is named as a hole.
 */
export function completePlan(plan: ParsedPlan, options: CompletePlanOptions): CompletedPlan {
  const filled = plan.tasks.map((task) => fillFallbacks(task, missing(task, options)));
  const open = new Map(filled.map((task) => [task.id, missing(task, options)]));
  const flow = inferFlow(
    [...(options.existing ?? []).map(asProducer), ...filled.map((task) => asFlowTask(task))],
    options,
  );
  const linksOf = groupByTarget(flow.links);
  const done = filled.map((task) =>
    completeTask(task, open.get(task.id) ?? [], linksOf.get(task.id) ?? []),
  );
  return {
    plan: { tasks: done.map(({ task }) => task) },
    bindings: done.flatMap(({ bindings }) => bindings),
    ambiguous: done.flatMap(({ ambiguous }) => ambiguous),
    broken: flow.broken,
    holes: done.flatMap(({ holes }) => holes),
  };

  function asFlowTask({ id, tool, needs }: Task): FlowTask {
    const wanted = plan.open.has(id) ? (open.get(id) ?? []) : [];
    return { id, tool, needs, open: wanted.map(({ path }) => path) };
  }
}

function groupByTarget(links: readonly FlowLink[]): ReadonlyMap<TaskId, readonly FlowLink[]> {
  const groups = new Map<TaskId, FlowLink[]>();
  for (const link of links) {
    const group = groups.get(link.to);
    if (group) group.push(link);
    else groups.set(link.to, [link]);
  }
  return groups;
}

function asProducer({ id, tool, needs }: Task): FlowTask {
  return { id, tool, needs, open: [] };
}

function missing({ tool, args }: Task, { tools }: InferOptions): readonly ToolParameter[] {
  const schema = tools.get(tool)?.inputSchema;
  if (!schema) return [];
  return inputParameters(schema).filter(
    ({ path, isRequired }) => isRequired && !Object.hasOwn(args, path),
  );
}

function fillFallbacks(task: Task, parameters: readonly ToolParameter[]): Task {
  const values = parameters.flatMap(({ path, fallback }): [string, JsonValue][] =>
    fallback === undefined ? [] : [[path, fallback]],
  );
  return values.length === 0
    ? task
    : { ...task, args: { ...task.args, ...Object.fromEntries(values) } };
}

interface CompletedTask {
  readonly task: Task;
  readonly bindings: readonly InferredBinding[];
  readonly ambiguous: readonly AmbiguousParameter[];
  readonly holes: readonly Hole[];
}

function completeTask(
  task: Task,
  open: readonly ToolParameter[],
  links: readonly FlowLink[],
): CompletedTask {
  const bindings: InferredBinding[] = [];
  const ambiguous: AmbiguousParameter[] = [];
  const holes: Hole[] = [];
  for (const parameter of open) {
    const { path: param } = parameter;
    const sources = links.filter((link) => link.param === param);
    const chosen = sources.find(({ path, score }) => path !== undefined && score >= SURE);
    if (chosen) bindings.push(bindingOf(chosen, param));
    else holes.push(holeOf(task, parameter, sources[0] ?? links[0]));
    if (sources.length > 1) ambiguous.push({ task: task.id, param, sources: sourcesOf(sources) });
  }
  const args = Object.fromEntries(
    bindings.map(({ from, path, param }) => [param, { $ref: referenceTo(from, path) }]),
  );
  const needs = [...new Set([...task.needs, ...links.map(({ from }) => from)])];
  return {
    task: links.length === 0 ? task : { ...task, args: { ...task.args, ...args }, needs },
    bindings,
    ambiguous,
    holes,
  };
}

function bindingOf(
  { from, to, path = '', score, explain }: FlowLink,
  param: string,
): InferredBinding {
  return { from, path, to, param, score, reasons: explain() };
}

function sourcesOf(links: readonly FlowLink[]): AmbiguousParameter['sources'] {
  return links.map(({ from, path, score }) => ({
    task: from,
    ...(path !== undefined && { path }),
    score,
  }));
}

function holeOf({ id }: Task, parameter: ToolParameter, likely: FlowLink | undefined): Hole {
  const { path: param, types, description } = parameter;
  return {
    task: id,
    param,
    type: types.join(' | ') || 'any',
    ...(description && { description }),
    ...(likely && { hint: hintOf(likely, param) }),
  };
}

function hintOf({ from, path, param, score }: FlowLink, wanted: string): string {
  if (path === undefined || param !== wanted) {
    return `probably from the result of \`${from}\`, whose shape is not known`;
  }
  const reference = JSON.stringify({ $ref: referenceTo(from, path) });
  return `perhaps ${reference} (${score.toFixed(2)})`;
}
