import {
  type ExecutionTrace,
  type JsonObject,
  parseToolId,
  type Task,
  type TaskId,
  taskId,
  type ToolId,
} from '../../core/index.js';
import { NEXT_FROM } from '../../learning/index.js';
import { fillPlan, type Hole } from '../../planner/index.js';
import { isCallable } from '../../tools/index.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Workflows } from '../workflows.js';

/** What would probably be called next, with what is known of its arguments. */
export interface PredictedStep {
  readonly tool: ToolId;
  /** That it is next, if anything is. */
  readonly probability: number;
  /** Values, and references to the calls that were made. */
  readonly args: JsonObject;
  readonly missing: readonly string[];
}

const MOST_STEPS = 3;

/** What usually follows an execution like this one. Tools that may not be called are never among it. */
export async function predictSteps(
  workflows: Workflows,
  { intent, calls }: Pick<ExecutionTrace, 'intent' | 'calls'>,
): Promise<readonly PredictedStep[]> {
  const done = calls.flatMap(({ tool, ok, parent }) => (ok && parent === undefined ? [tool] : []));
  if (!intent || done.length === 0) return [];
  const likely = (await workflows.suggester.next(intent, done))
    .filter(
      ({ tool, probability }) => probability >= NEXT_FROM && isCallable(workflows.tools, tool),
    )
    .slice(0, MOST_STEPS);
  const existing = asTasks(done);
  return likely.map(({ tool, probability }) => {
    const { args, holes } = filled(workflows, tool, { intent, existing });
    return { tool, probability, args, missing: holes.map(({ param }) => param) };
  });
}

function filled(
  workflows: Workflows,
  tool: ToolId,
  { intent, existing }: { readonly intent: string; readonly existing: readonly Task[] },
): { readonly args: JsonObject; readonly holes: readonly Hole[] } {
  const id = taskId('next');
  const { plan, holes } = fillPlan(
    { tasks: [{ id, tool, args: {}, needs: [] }], open: new Set([id]) },
    {
      intent,
      existing,
      tools: plannablesOf(workflows, [tool, ...existing.map((task) => task.tool)]),
      memory: workflows.planning.memory,
      past: workflows.planning.past,
      templates: workflows.planning.templates,
    },
  );
  return { args: plan.tasks[0]?.args ?? {}, holes };
}

/** Named after their tools, each tool once: the last call is what a next one would take from. */
function asTasks(tools: readonly ToolId[]): readonly Task[] {
  const taken = new Set<TaskId>();
  return [...new Set(tools)].map((tool) => {
    const name = parseToolId(tool).tool.replaceAll(/\W+/g, '_').slice(0, 40) || 'task';
    let id = taskId(name);
    for (let count = 2; taken.has(id); count++) id = taskId(`${name}_${count}`);
    taken.add(id);
    return { id, tool, args: {}, needs: [] };
  });
}
