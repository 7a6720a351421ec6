import {
  BUILT_IN_SERVER,
  type Guesses,
  parseToolId,
  type Plan,
  PmlError,
  type PmlErrorCode,
  type Principal,
  type RunState,
  type Task,
  type TaskId,
  THE_USER,
  type ToolId,
} from '../../core/index.js';
import { knownArgs, orderTasks, parsePlan, referenceTest } from '../../plan/index.js';
import {
  comparedTexts,
  completeAdded,
  type CompletedPlan,
  completePlan,
  type CompletePlanOptions,
  type PlannableTool,
} from '../../planner/index.js';
import { READ_TOOL, takeResults } from '../../results/index.js';
import { refuseHeld } from '../../tools/index.js';
import { checkArgs, describeViolations, type Violation } from '../../validation/index.js';
import type { Workflows } from '../workflows.js';
import { refusedGuesses } from './doubtful-guesses.js';
import { plainCall } from './plain-call.js';
import { withExamples } from './with-examples.js';
import { withoutInferred } from './without-inferred.js';

const SHOWN_PROBLEMS = 20;

export interface PlanOptions {
  readonly hasContext: boolean;
  /** The run the tasks are added to. */
  readonly run?: RunState;
  /** Whether only tools that change nothing may be named. */
  readonly isReadOnly?: boolean;
  /** The arguments that PML filled in earlier, by task. All other arguments are given. */
  readonly guessed?: ReadonlyMap<TaskId, Guesses>;
  /** Whose kept results the arguments may name. Default: the owner of the run, or the user. */
  readonly principal?: Principal;
  /** A plan that is only looked at may leave parameters open. */
  readonly mayHaveHoles?: boolean;
}

interface Problem {
  readonly code: PmlErrorCode;
  readonly text: string;
}

/**
 * Reads tasks, fills what they leave open, and checks all of it against the tools there are. Throws
 * with every problem and its place; nothing has run then.
 */
export async function planWorkflow(
  workflows: Workflows,
  tasks: unknown,
  {
    hasContext,
    run,
    guessed,
    isReadOnly = run?.isReadOnly ?? false,
    mayHaveHoles = false,
    principal = run?.owner ?? THE_USER,
  }: PlanOptions,
): Promise<CompletedPlan> {
  const isNew = !run && !guessed && !hasContext;
  const lone = isNew ? plainCall(workflows, tasks, { isReadOnly }) : undefined;
  if (lone) return asItIs({ tasks: [lone] });
  const existing = run?.tasks.map(({ task }) => task) ?? [];
  const maxTasks = workflows.tools.settings.limits.runTasks;
  const asked = parsePlan(tasks, { maxTasks, existing, hasContext });
  const taken = await takeResults(asked.tasks, workflows.results.of(principal));
  throwProblems(taken.problems);
  const parsed = { ...asked, tasks: taken.tasks.map((task) => withGuessed(task, guessed)) };
  await listTools(workflows, parsed);
  throwProblems(parsed.tasks.flatMap((task) => checkTool(workflows, task, isReadOnly)));
  // PML checks given arguments before it fills in others: a misspelt name looks like a gap.
  const found = new Map(parsed.tasks.map((task) => [task, checkTask(workflows, task)]));
  throwProblems(
    [...found].flatMap(([task, all]) => problemsOf(task, all.filter(isAboutGiven(task)))),
  );
  // Most plans are one call with all its arguments: PML has nothing to add.
  const isLone = existing.length + parsed.tasks.length === 1;
  if (isLone && [...found.values()].every((all) => all.length === 0)) {
    return checkGuesses(workflows, withExamples(workflows, asItIs(parsed)), mayHaveHoles);
  }
  const ids = [...existing, ...parsed.tasks].map(({ tool }) => tool);
  const { planning } = workflows;
  const tools = planning.tools(ids);
  const options = { tools, memory: planning.memory, ...workflows.bindings.correction };
  const complete = (more?: Pick<CompletePlanOptions, 'similarity'>) =>
    completeAdded(parsed, existing, (plan, beside) =>
      completePlan(plan, { ...options, ...more, existing: beside }),
    );
  const plain = complete();
  // Without another task, PML cannot compare a gap.
  const hasGaps = !isLone && plain.bindings.length + plain.holes.length > 0;
  const { likeness, isLate } = hasGaps ? await workflows.compare(textsOf(tools)) : {};
  // PML may have finished reading its memory meanwhile.
  const known = hasGaps ? complete(likeness && { similarity: likeness }) : plain;
  const completed =
    isLate === undefined ? known : withoutInferred(known, { tools, because: isLate });
  if (!mayHaveHoles) throwProblems(findHoles(completed));
  const incomplete = new Set(completed.holes.map(({ task }) => task));
  const whole = completed.plan.tasks.filter(({ id }) => !incomplete.has(id));
  throwProblems(
    // A task that nothing was filled into is the very same, and has been checked.
    whole.flatMap((task) => problemsOf(task, found.get(task) ?? checkTask(workflows, task))),
  );
  orderTasks({ tasks: [...existing, ...completed.plan.tasks] });
  return checkGuesses(workflows, withExamples(workflows, completed), mayHaveHoles);
}

/** The user can configure that nothing runs with values that PML filled in. */
function checkGuesses<Completed extends CompletedPlan>(
  { tools }: Workflows,
  completed: Completed,
  isOnlyLookedAt: boolean,
): Completed {
  if (isOnlyLookedAt || tools.settings.workflows.guesses !== 'refuse') return completed;
  throwProblems(
    completed.plan.tasks.flatMap((task) =>
      refusedGuesses(task).map((text): Problem => {
        return { code: 'ARGUMENTS_INVALID', text: `task ${task.id}: ${text}` };
      }),
    ),
  );
  return completed;
}

function withGuessed(task: Task, guessed: PlanOptions['guessed']): Task {
  const own = guessed?.get(task.id);
  return own ? { ...task, guessed: own } : task;
}

function asItIs({ tasks }: Plan): CompletedPlan {
  return { plan: { tasks }, bindings: [], ambiguous: [], broken: [], holes: [] };
}

/** Of parameters and fields, which plans with gaps are completed by. */
function textsOf(tools: ReadonlyMap<ToolId, PlannableTool>): readonly string[] {
  return [...new Set([...tools.values()].flatMap(comparedTexts))];
}

/** A tool can only be checked once its server has shown it. */
async function listTools(workflows: Workflows, { tasks }: Plan): Promise<void> {
  const ids = new Set<ToolId>(tasks.map(({ tool }) => tool));
  const unlisted = [...ids].filter((id) => workflows.tools.unlistedServer(id) !== undefined);
  if (unlisted.length === 0) return;
  await Promise.all(unlisted.map((id) => workflows.tools.toolListing(id)));
}

function checkTool(
  workflows: Workflows,
  { id, tool, args }: Task,
  isReadOnly: boolean,
): readonly Problem[] {
  try {
    workflows.tools.assertTool(tool);
    if (isMissingBuiltIn(tool)) {
      return [{ code: 'TOOL_UNKNOWN', text: `task ${id}: No tool ${tool}; there is ${READ_TOOL}` }];
    }
    const { denied } = workflows.tools.admit(tool, { isReadOnly });
    if (denied !== undefined) return [{ code: 'TOOL_DENIED', text: `task ${id}: ${denied}` }];
    const held = refuseHeld(workflows.tools.catalog, tool, args);
    return held === undefined
      ? []
      : [{ code: 'ARGUMENTS_INVALID', text: `task ${id}: args.${held}` }];
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    return [{ code: error.code, text: `task ${id}: ${error.message}` }];
  }
}

function isMissingBuiltIn(tool: ToolId): boolean {
  return parseToolId(tool).server === BUILT_IN_SERVER && tool !== READ_TOOL;
}

function findHoles({ holes }: CompletedPlan): readonly Problem[] {
  return holes.map(({ task, param, type, description, hint }) => {
    const about = [type, description && `"${description.slice(0, 120)}"`, hint].filter(Boolean);
    return {
      code: 'ARGUMENTS_INVALID',
      text: `task ${task}: args.${param} is missing (${about.join('; ')})`,
    };
  });
}

function checkTask(workflows: Workflows, task: Task): readonly Violation[] {
  const schema = workflows.tools.definitionOf(task.tool)?.inputSchema;
  return schema ? checkArgs(schema, knownArgs(task), referenceTest(task)) : [];
}

function problemsOf({ id }: Task, violations: readonly Violation[]): readonly Problem[] {
  return violations.map((violation) => ({
    code: 'ARGUMENTS_INVALID',
    text: `task ${id}: ${describeViolations([violation], 'args')}`,
  }));
}

/** Whether the violation concerns a given argument, not a missing one. */
function isAboutGiven({ args }: Task): (violation: Violation) => boolean {
  return ({ path }) => Object.hasOwn(args, /^[^.[]*/.exec(path)?.[0] ?? '');
}

/** The common code of all problems, if they have one. */
function throwProblems(problems: readonly Problem[]): void {
  const [first] = problems;
  if (!first) return;
  const isOne = problems.every(({ code }) => code === first.code);
  const lines = problems.slice(0, SHOWN_PROBLEMS).map(({ text }) => text);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more`);
  throw new PmlError(isOne ? first.code : 'PLAN_INVALID', lines.join('\n'), {
    details: { problems: lines },
  });
}
