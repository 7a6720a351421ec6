import type { JsonObject, JsonValue, Task, TaskId, ToolId } from '../../core/index.js';
import { LEARNED_SHARE, SURE } from '../../learning/index.js';
import type { ParsedPlan } from '../../plan/index.js';
import { inputParameters, type ToolParameter } from '../../schema/index.js';
import { nameWords } from '../../words/index.js';
import { wantedLiterals } from '../fit/wanted-literals.js';
import {
  type CompletedPlan,
  completePlan,
  type CompletePlanOptions,
  type Hole,
} from '../flow/complete-plan.js';
import type { FindLiteralsOptions } from '../literals/intent-literals.js';
import { literalValue } from '../literals/literal-value.js';
import type { Literal } from '../literals/literal.js';
import { defaultGuess, withGuesses } from '../with-guesses.js';
import { withAligned } from './aligned-examples.js';
import type { ArgumentMemory, ArgumentProposal, SimilarRun } from './argument-memory.js';
import { fillArguments, type ProposedValue } from './fill-arguments.js';
import { isAllowed, parameterOf, partsOfParameter, valueAt, withValueAt } from './fill-nested.js';
import { fillTemplates } from './fill-templates.js';
import { withExample, withProof } from './learned-examples.js';
import { escaped, namesOf, withOwnValues, withValues } from './put-values.js';
import type { TemplateMemory } from './template-memory.js';

export interface FillPlanOptions extends CompletePlanOptions, FindLiteralsOptions {
  /** What is wanted, in words. */
  readonly intent: string;
  /** What past calls were given. */
  readonly past?: ArgumentMemory;
  /** Past runs with similar requests, most alike first. */
  readonly similar?: readonly SimilarRun[];
  /** How past calls composed arguments from results. */
  readonly templates?: TemplateMemory;
  /** Where the request asks for a task: 0 at its beginning, 1 at its end. */
  readonly places?: ReadonlyMap<TaskId, number>;
}

export interface FilledPlan extends CompletedPlan {
  /** The filled-in values that are not just the output of another task. */
  readonly values: readonly ProposedValue[];
}

/** More literals are not examined. */
const MOST_LITERALS = 200;
const LONG_TOKEN = /\S{60}/;

/**
 * Completes a plan for a request. The first source that has a value wins: a text that past runs
 * composed from results; a flow that past runs had; the value the same request had before; a value
 * past runs always had although requests had such a literal; a literal of the request; a flow that
 * names and types suggest; a value of past calls; the default of the schema. Names and types alone
 * do not override a default.
 */
export function fillPlan(asked: ParsedPlan, options: FillPlanOptions): FilledPlan {
  const literals = wantedLiterals(options.intent, { most: MOST_LITERALS, ...options });
  const known = { ...options, literals };
  const { plan, written } = withTemplates(asked, known);
  const again = againValues(plan.tasks, known);
  const withAgain = withValues(plan.tasks, again, options);
  const literal = fillArguments(withAgain, known, options.tools);
  const proposed = withAligned(literal, withAgain, known)
    .filter((one) => !isLearnedFlow(one, plan.tasks, options))
    .filter((one) => !isMoreThanThen(one, again, { tasks: plan.tasks, tools: options.tools }))
    .map((one) => habitInstead(one, plan.tasks, known) ?? one);
  const said = proposed.filter(isSure);
  const withSaid = withValues(withAgain, said, options);
  const overDefaults = pastValues(
    withSaid.flatMap((task) => missingOf(task, options).filter(hasFallback).map(openAt(task))),
    known,
  ).filter(isSure);
  const given = withValues(withSaid, overDefaults, options);
  // The agent reviews a suggestion before it runs, so it may be less sure than what runs unasked.
  const completed = completePlan({ tasks: given, open: plan.open }, { sureFrom: SURE, ...options });
  const remembered = pastValues(holesOf(completed, options), known);
  const sure = remembered.filter(isSure);
  const left = completed.holes.filter((hole) => !sure.some((one) => isAt(hole, one)));
  const done = withValues(completed.plan.tasks, sure, options);
  const inside = fillInside(done, { holes: left, begun: said }, known);
  const unsure = [...proposed, ...remembered, ...inside.unsure];
  const values = [...written, ...again, ...said, ...overDefaults, ...sure, ...inside.values];
  const tasks = inside.tasks.map((task) => withProof(task, options.tools.get(task.tool)));
  return {
    ...completed,
    plan: { tasks },
    holes: inside.holes.map((hole) => withExample(withHint(hole, unsure), { tasks, ...options })),
    values: values.toSorted((a, b) => placeOf(plan, a) - placeOf(plan, b)),
  };
}

/** Adds arguments that past runs composed from results, and the tasks these need. */
function withTemplates(
  plan: ParsedPlan,
  known: Known,
): { readonly plan: ParsedPlan; readonly written: readonly ProposedValue[] } {
  const names = namesOf([...(known.existing ?? []), ...plan.tasks]);
  const written = fillTemplates(plan.tasks, {
    ...known,
    keep: (text) => escaped(text, names) as string,
  });
  // A task that a template needs cannot wait for the task with the template.
  const usable = written.filter(({ task, needs }) => !closesCycle(task, needs, plan.tasks));
  const tasks = plan.tasks.map((task) => {
    const own = usable.filter((one) => one.task === task.id);
    if (own.length === 0) return task;
    const args = Object.fromEntries(own.map(({ param, value }) => [param, value]));
    const needs = [...new Set([...task.needs, ...own.flatMap((one) => one.needs)])];
    return withGuesses({ ...task, args: { ...task.args, ...args }, needs }, own);
  });
  return { plan: { ...plan, tasks }, written: usable.map(({ needs: _needs, ...value }) => value) };
}

/** Whether one of the needed tasks waits for this one. */
function closesCycle(task: TaskId, needs: readonly TaskId[], tasks: readonly Task[]): boolean {
  const waits = new Set<TaskId>();
  const open = [...needs];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (waits.has(id)) continue;
    waits.add(id);
    open.push(...(tasks.find((one) => one.id === id)?.needs ?? []));
  }
  return waits.has(task);
}

type Known = FillPlanOptions & { readonly literals: readonly Literal[] };

const isSure = ({ score }: ProposedValue): boolean => score >= SURE;

/** The values the same request had before, for optional parameters too. */
function againValues(tasks: readonly Task[], known: Known): readonly ProposedValue[] {
  const same = known.similar?.filter(({ isSame }) => isSame) ?? [];
  // PML keeps no long tokens, so a value from one would look as if the request had not named it.
  if (same.length === 0 || LONG_TOKEN.test(known.intent)) return [];
  const open = tasks.flatMap((task) => {
    const schema = known.tools.get(task.tool)?.inputSchema;
    const all = schema ? inputParameters(schema) : [];
    return all.filter(({ path }) => !Object.hasOwn(task.args, path)).map(openAt(task));
  });
  return pastValues(open, { ...known, similar: same })
    .filter(isSure)
    .filter((one) => !isLearnedFlow(one, tasks, known));
}

/** Whether the same request left this optional parameter open: its literals went elsewhere. */
function isMoreThanThen(
  { task: id, param }: ProposedValue,
  again: readonly ProposedValue[],
  { tasks, tools }: { readonly tasks: readonly Task[] } & Pick<FillPlanOptions, 'tools'>,
): boolean {
  if (!again.some(({ task }) => task === id)) return false;
  const tool = tasks.find((task) => task.id === id)?.tool;
  const schema = (tool && tools.get(tool)?.inputSchema) ?? {};
  return inputParameters(schema).some(({ path, isRequired }) => path === param && !isRequired);
}

interface FilledInside {
  readonly tasks: readonly Task[];
  readonly holes: readonly Hole[];
  readonly values: readonly ProposedValue[];
  readonly unsure: readonly ProposedValue[];
}

/**
 * Fills the missing parts of partly known objects with past values or defaults. Parts that are
 * still missing become holes named by their path.
 */
function fillInside(
  tasks: readonly Task[],
  { holes, begun }: { readonly holes: readonly Hole[]; readonly begun: readonly ProposedValue[] },
  known: Known,
): FilledInside {
  const values: ProposedValue[] = [];
  const unsure: ProposedValue[] = [];
  const left: Hole[] = holes.filter((hole) => partsOf(hole, tasks, known).length === 0);
  const asked = holes.filter((hole) => !left.includes(hole));
  const filled = tasks.map((task) => {
    const schema = known.tools.get(task.tool)?.inputSchema;
    if (!schema) return task;
    const params = [...asked, ...begun]
      .filter((one) => one.task === task.id)
      .map(({ param }) => parameterOf(param, schema));
    return [...new Set(params)].reduce((so, param) => fillParameter(so, param, schema), task);
  });
  return { tasks: filled, holes: left, values, unsure };

  function fillParameter(task: Task, param: string, schema: JsonObject): Task {
    const open = partsOfParameter(schema, param).filter(({ path, isRequired }) => {
      return path !== param && isRequired && valueAt(task.args, path) === undefined;
    });
    const found = pastValues(open.map(openAt(task)), known);
    values.push(...found.filter(isSure));
    unsure.push(...found);
    const missing = open.filter(({ path, fallback }) => {
      return fallback === undefined && !found.some((one) => one.param === path && isSure(one));
    });
    left.push(...missing.map((part) => holeAt(task, part)));
    const withDefaults = open.reduce(
      (args, { path, fallback: value }) =>
        value === undefined ? args : withValueAt(args, path, { value, schema }),
      task.args,
    );
    const names = namesOf(tasks);
    const defaults = open.flatMap(({ path, fallback }) =>
      fallback === undefined ? [] : [defaultGuess(task, path)],
    );
    const begunTask = withGuesses({ ...task, args: withDefaults }, defaults);
    return withOwnValues(begunTask, found.filter(isSure), { names, schema });
  }
}

/** The parts of a hole, if the agent should fill them one by one. */
function partsOf(hole: Hole, tasks: readonly Task[], { tools }: FillPlanOptions) {
  const tool = tasks.find(({ id }) => id === hole.task)?.tool;
  const schema = tool && tools.get(tool)?.inputSchema;
  if (!schema || hole.hint !== undefined) return [];
  const required = partsOfParameter(schema, hole.param).filter(({ isRequired }) => isRequired);
  return required.some(({ path }) => path !== hole.param) ? required : [];
}

function holeAt({ id }: Task, { path, types, description }: ToolParameter): Hole {
  const type = types.join(' | ') || 'any';
  return { task: id, param: path, type, ...(description && { description }) };
}

interface Open {
  readonly task: Task;
  readonly parameter: ToolParameter;
}

const openAt =
  (task: Task) =>
  (parameter: ToolParameter): Open => ({ task, parameter });
const hasFallback = ({ fallback }: ToolParameter) => fallback !== undefined;

function missingOf({ tool, args }: Task, { tools }: FillPlanOptions): readonly ToolParameter[] {
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

/** Whether past runs took this value from a tool that is in the plan too. */
function isLearnedFlow(
  { task: id, param }: ProposedValue,
  tasks: readonly Task[],
  { memory, tools, existing = [] }: FillPlanOptions,
): boolean {
  const consumer = tasks.find((task) => task.id === id);
  if (!consumer) return false;
  const schema = tools.get(consumer.tool)?.inputSchema ?? {};
  const whole = parameterOf(param, schema);
  const producers = new Set<ToolId>([...existing, ...tasks].map(({ tool }) => tool));
  return [...producers].some((producer) => {
    if (producer === consumer.tool) return false;
    const { recorded, flows } = memory.pair(producer, consumer.tool);
    const times = flows
      .filter((flow) => flow.param === whole && (param !== whole || !flow.isPart))
      .reduce((sum, one) => sum + one.times, 0);
    return times > 0 && times >= recorded * LEARNED_SHARE;
  });
}

/** The value past calls always had in spite of literals like the proposed one. */
function habitInstead(
  { task: id, param, value }: ProposedValue,
  tasks: readonly Task[],
  { past, literals, tools, intent }: Known,
): ProposedValue | undefined {
  const tool = tasks.find((task) => task.id === id)?.tool;
  const schema = tool && tools.get(tool)?.inputSchema;
  if (!past || !schema) return undefined;
  const literal = literals.find((one) => one.value === value || one.text === value);
  if (!literal) return undefined;
  const { kind, label, before } = literal;
  // A literal beside the parameter's name is for that parameter, whatever the habit.
  if (label !== undefined || nameWords(param).includes(before[0] ?? '')) return undefined;
  const count = literals.filter((one) => one.kind === kind).length;
  const habit = past.habit(tool, param, { intent, kind, count });
  if (habit?.kind !== 'same' || !isAllowed(schema, param, habit.value)) return undefined;
  const { score, because, run } = habit;
  return { task: id, param, value: habit.value, source: 'past', score, because, run };
}

function pastValues(
  open: readonly Open[],
  { past, similar = [], literals, tools, intent }: Known,
): readonly ProposedValue[] {
  if (!past) return [];
  return open.flatMap(({ task, parameter }): readonly ProposedValue[] => {
    const { path: param } = parameter;
    const proposal = past.propose(task.tool, param, { intent, literals, similar });
    const value = proposal && valueOf(proposal, parameter);
    const schema = tools.get(task.tool)?.inputSchema;
    if (!proposal || value === undefined || !schema || !isAllowed(schema, param, value)) return [];
    const { score, because, run } = proposal;
    return [{ task: task.id, param, value, source: 'past', score, because, run }];
  });
}

function valueOf(proposal: ArgumentProposal, parameter: ToolParameter): JsonValue | undefined {
  return proposal.kind === 'same' ? proposal.value : literalValue(proposal.literal, parameter);
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
