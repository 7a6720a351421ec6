import type { JsonValue, Plan, Task, TaskId } from '../../core/index.js';
import { SURE_OF_FLOW } from '../../learning/index.js';
import { type ParsedPlan, readReferences, referenceTo } from '../../plan/index.js';
import { inputParameters, type ToolParameter } from '../../schema/index.js';
import { defaultGuess, type PlacedGuess, withGuesses } from '../with-guesses.js';
import type { BrokenLink } from './choose-links.js';
import { type FlowTask, inferFlow, type InferOptions } from './infer-flow.js';
import type { BindingReason } from './score-binding.js';
import type { FlowLink } from './weigh-sources.js';

/** A value that goes from one task into a parameter of another. */
export interface InferredBinding {
  readonly from: TaskId;
  /** In the result of `from`; empty for all of it. */
  readonly path: string;
  readonly to: TaskId;
  readonly param: string;
  /** How likely the request means this value, from 0 to 1. */
  readonly score: number;
  readonly reasons: readonly BindingReason[];
}

/** A parameter with several equally good sources. The task waits for all of them. */
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

/** A required parameter without a value. */
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
  /** The least probability of a source that PML fills in. Default: that of calls that run unasked. */
  readonly sureFrom?: number;
}

/**
 * Fills required parameters that have no value: with the value that their schema names, or with the
 * result of another task. PML infers dependencies only for tasks that declare none. A parameter that
 * PML cannot fill is reported as a hole.
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
    completeTask(task, open.get(task.id) ?? [], {
      links: linksOf.get(task.id) ?? [],
      sureFrom: options.sureFrom ?? SURE_OF_FLOW,
    }),
  );
  return {
    plan: { tasks: done.map(({ task }) => task) },
    bindings: done.flatMap(({ bindings }) => bindings),
    ambiguous: done.flatMap(({ ambiguous }) => ambiguous),
    broken: flow.broken,
    holes: done.flatMap(({ holes }) => holes),
  };

  function asFlowTask(task: Task): FlowTask {
    const wanted = plan.open.has(task.id) ? (open.get(task.id) ?? []) : [];
    return { ...asProducer(task), open: wanted.map(({ path }) => path) };
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

function asProducer(task: Task): FlowTask {
  const { id, tool, needs } = task;
  const read = readReferences(task).map(({ task: from, field }) => ({ from, path: field }));
  const isRead = new Set(read.map(({ from }) => from));
  const unread = needs.filter((from) => !isRead.has(from)).map((from) => ({ from }));
  return { id, tool, needs, open: [], takes: [...read, ...unread] };
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
  const filled = { ...task, args: { ...task.args, ...Object.fromEntries(values) } };
  return withGuesses(
    filled,
    values.map(([param]) => defaultGuess(task, param)),
  );
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
  { links, sureFrom }: { readonly links: readonly FlowLink[]; readonly sureFrom: number },
): CompletedTask {
  const bindings: InferredBinding[] = [];
  const ambiguous: AmbiguousParameter[] = [];
  const holes: Hole[] = [];
  for (const parameter of open) {
    const { path: param } = parameter;
    const sources = links.filter((link) => link.param === param);
    const chosen = sources.find(
      ({ path, probability }) => path !== undefined && probability >= sureFrom,
    );
    if (chosen) bindings.push(bindingOf(chosen, param));
    else holes.push(holeOf(task, parameter, sources[0] ?? links[0]));
    if (sources.length > 1) ambiguous.push({ task: task.id, param, sources: sourcesOf(sources) });
  }
  const args = Object.fromEntries(
    bindings.map(({ from, path, param }) => [param, { $ref: referenceTo(from, path) }]),
  );
  const needs = [...new Set([...task.needs, ...links.map(({ from }) => from)])];
  return {
    task:
      links.length === 0
        ? task
        : withGuesses({ ...task, args: { ...task.args, ...args }, needs }, bindings.map(guessOf)),
    bindings,
    ambiguous,
    holes,
  };
}

function bindingOf(
  { from, to, path = '', probability, explain }: FlowLink,
  param: string,
): InferredBinding {
  return { from, path, to, param, score: probability, reasons: explain() };
}

function guessOf({ param, score, reasons }: InferredBinding): PlacedGuess {
  const [first] = reasons;
  return { param, source: 'inferred', score, because: first?.text ?? 'nothing else fits' };
}

function sourcesOf(links: readonly FlowLink[]): AmbiguousParameter['sources'] {
  return links.map(({ from, path, probability }) => ({
    task: from,
    ...(path !== undefined && { path }),
    score: probability,
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

function hintOf({ from, path, param, probability }: FlowLink, wanted: string): string {
  if (path === undefined || param !== wanted) {
    return `probably from the result of \`${from}\`, whose shape is not known`;
  }
  const reference = JSON.stringify({ $ref: referenceTo(from, path) });
  return `perhaps ${reference} (${probability.toFixed(2)})`;
}
