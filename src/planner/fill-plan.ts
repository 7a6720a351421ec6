import type { JsonValue, Task, ToolId } from '../core/index.js';
import { isAllowed } from './argument-candidates.js';
import type { ArgumentMemory, ArgumentProposal, SimilarRun } from './argument-memory.js';
import {
  type CompletedPlan,
  completePlan,
  type CompletePlanOptions,
  type Hole,
} from './complete-plan.js';
import { fillArguments, type ProposedValue, SURE } from './fill-arguments.js';
import { CONTEXT } from './find-references.js';
import { findLiterals, type FindLiteralsOptions } from './intent-literals.js';
import { literalValue } from './literal-value.js';
import type { Literal } from './literal.js';
import { nameWords } from './name-words.js';
import type { ParsedPlan } from './parse-plan.js';
import { referenceHead } from './reference.js';
import { inputParameters, type Parameter } from './schema-fields.js';

export interface FillPlanOptions extends CompletePlanOptions, FindLiteralsOptions {
  /** What is wanted, in words. */
  readonly intent: string;
  /** What past calls were given. */
  readonly past?: ArgumentMemory;
  /** Past runs that wanted about the same, most alike first. */
  readonly similar?: readonly SimilarRun[];
}

export interface FilledPlan extends CompletedPlan {
  /** What was filled in that comes out of no other task. */
  readonly values: readonly ProposedValue[];
}

/** What stands behind so many others is looked at by nobody. */
const MOST_LITERALS = 200;
/** A flow that happened in this share of the runs that could have had it is how it is done. */
const LEARNED_SHARE = 0.5;

/**
 * Completes a plan that was made for a request. Of the sources of a value the first that has one
 * is taken: a flow that past runs had, a value they always had though requests had such a
 * literal, a literal of the request, a flow that names and types speak for, what past calls were given,
 * the default of the schema. A default stays where only names and types speak for something else.
 */
export function fillPlan(plan: ParsedPlan, options: FillPlanOptions): FilledPlan {
  const literals = findLiterals(options.intent, { most: MOST_LITERALS, ...options });
  const proposed = fillArguments(plan.tasks, { intent: options.intent, literals }, options.tools)
    .filter((one) => !isLearnedFlow(one, plan.tasks, options))
    .map((one) => habitInstead(one, plan.tasks, { ...options, literals }) ?? one);
  const said = proposed.filter(({ score }) => score >= SURE);
  const withSaid = withValues(plan.tasks, said);
  const overDefaults = pastValues(
    withSaid.flatMap((task) => missingOf(task, options).filter(hasFallback).map(openAt(task))),
    { ...options, literals },
  ).filter(({ score }) => score >= SURE);
  const given = withValues(withSaid, overDefaults);
  const completed = completePlan({ tasks: given, open: plan.open }, options);
  const remembered = pastValues(holesOf(completed, options), { ...options, literals });
  const sure = remembered.filter(({ score }) => score >= SURE);
  const values = [...said, ...overDefaults, ...sure];
  return {
    ...completed,
    plan: { tasks: withValues(completed.plan.tasks, sure) },
    holes: completed.holes
      .filter((hole) => !sure.some((one) => isAt(hole, one)))
      .map((hole) => withHint(hole, [...proposed, ...remembered])),
    values: values.toSorted((a, b) => placeOf(plan, a) - placeOf(plan, b)),
  };
}

interface Open {
  readonly task: Task;
  readonly parameter: Parameter;
}

const openAt =
  (task: Task) =>
  (parameter: Parameter): Open => ({ task, parameter });
const hasFallback = ({ fallback }: Parameter) => fallback !== undefined;

function missingOf({ tool, args }: Task, { tools }: FillPlanOptions): readonly Parameter[] {
  const schema = tools.get(tool)?.inputSchema;
  const all = schema ? inputParameters(schema) : [];
  return all.filter(({ path, isRequired }) => isRequired && !Object.hasOwn(args, path));
}

function holesOf({ plan, holes }: CompletedPlan, options: FillPlanOptions): readonly Open[] {
  return plan.tasks.flatMap((task) =>
    missingOf(task, options)
      .filter(({ path }) => holes.some((hole) => hole.task === task.id && hole.param === path))
      .map(openAt(task)),
  );
}

/** Whether runs of the past took this value from a task that is in the plan, too. */
function isLearnedFlow(
  { task: id, param }: ProposedValue,
  tasks: readonly Task[],
  { memory, existing = [] }: FillPlanOptions,
): boolean {
  const consumer = tasks.find((task) => task.id === id);
  if (!consumer) return false;
  const producers = new Set<ToolId>([...existing, ...tasks].map(({ tool }) => tool));
  return [...producers].some((producer) => {
    if (producer === consumer.tool) return false;
    const { recorded, flows } = memory.pair(producer, consumer.tool);
    const times = flows
      .filter((flow) => flow.param === param)
      .reduce((sum, one) => sum + one.times, 0);
    return times > 0 && times >= recorded * LEARNED_SHARE;
  });
}

/** What past calls were always given in spite of literals like the one that is proposed. */
function habitInstead(
  { task: id, param, value }: ProposedValue,
  tasks: readonly Task[],
  { past, literals, tools }: FillPlanOptions & { readonly literals: readonly Literal[] },
): ProposedValue | undefined {
  const tool = tasks.find((task) => task.id === id)?.tool;
  const schema = tool && tools.get(tool)?.inputSchema;
  if (!past || !schema) return undefined;
  const literal = literals.find((one) => one.value === value || one.text === value);
  if (!literal) return undefined;
  const { kind, label, before } = literal;
  // One that stands by the name of the parameter is for it, whatever was usual.
  if (label !== undefined || nameWords(param).includes(before[0] ?? '')) return undefined;
  const count = literals.filter((one) => one.kind === kind).length;
  const habit = past.habit(tool, param, { kind, count });
  if (habit?.kind !== 'same' || !isAllowed(schema, param, habit.value)) return undefined;
  const { score, because, run } = habit;
  return { task: id, param, value: habit.value, score, because, run };
}

function pastValues(
  open: readonly Open[],
  {
    past,
    similar = [],
    literals,
    tools,
  }: FillPlanOptions & { readonly literals: readonly Literal[] },
): readonly ProposedValue[] {
  if (!past) return [];
  return open.flatMap(({ task, parameter }): readonly ProposedValue[] => {
    const { path: param } = parameter;
    const proposal = past.propose(task.tool, param, { literals, similar });
    const value = proposal && valueOf(proposal, parameter);
    const schema = tools.get(task.tool)?.inputSchema;
    if (!proposal || value === undefined || !schema || !isAllowed(schema, param, value)) return [];
    const { score, because, run } = proposal;
    return [{ task: task.id, param, value, score, because, run }];
  });
}

function valueOf(proposal: ArgumentProposal, parameter: Parameter): JsonValue | undefined {
  return proposal.kind === 'same' ? proposal.value : literalValue(proposal.literal, parameter);
}

function withValues(tasks: readonly Task[], values: readonly ProposedValue[]): readonly Task[] {
  const names = new Set<string>([...tasks.map(({ id }) => id), CONTEXT]);
  return tasks.map((task) => {
    const own = values.filter((one) => one.task === task.id);
    if (own.length === 0) return task;
    const args = Object.fromEntries(own.map(({ param, value }) => [param, escaped(value, names)]));
    return { ...task, args: { ...task.args, ...args } };
  });
}

/** What looks like a reference was not meant as one by whoever wrote the request. */
function escaped(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => escaped(item, names));
  if (typeof value !== 'string') return value;
  return value.replaceAll(/(?<!\$)\$\{([^{}]*)\}/g, (whole, inner: string) =>
    names.has(referenceHead(inner)) ? `$${whole}` : whole,
  );
}

function isAt(hole: Hole, { task, param }: ProposedValue): boolean {
  return hole.task === task && hole.param === param;
}

function withHint(hole: Hole, unsure: readonly ProposedValue[]): Hole {
  const [best] = unsure.filter((one) => isAt(hole, one)).toSorted((a, b) => b.score - a.score);
  if (!best) return hole;
  const text = `perhaps ${JSON.stringify(best.value)} (${best.score.toFixed(2)}): ${best.because}`;
  return { ...hole, hint: hole.hint === undefined ? text : `${hole.hint}; or ${text}` };
}

function placeOf({ tasks }: ParsedPlan, { task }: ProposedValue): number {
  return tasks.findIndex(({ id }) => id === task);
}
