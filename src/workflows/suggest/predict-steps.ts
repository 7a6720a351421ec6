import {
  type ExecutionTrace,
  isCapability,
  type JsonObject,
  parseToolId,
  type Task,
  taskId,
  type ToolId,
} from '../../core/index.js';
import { NEXT_FROM } from '../../learning/index.js';
import { fillPlan, type Hole } from '../../planner/index.js';
import { pastMoments } from '../../suggest/index.js';
import { isCallable } from '../../tools/index.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Workflows } from '../workflows.js';
import { idsFor } from './task-ids.js';

/** A call that probably comes next, with the arguments that PML knows. */
export interface PredictedStep {
  readonly tool: ToolId;
  /** That it is next, if anything is. */
  readonly probability: number;
  /** Values, and references to the calls that were made. */
  readonly args: JsonObject;
  readonly missing: readonly string[];
}

const MOST_STEPS = 3;

/**
 * The steps that usually follow such an execution, with the knowledge from the time of the execution:
 * capabilities that PML learned from it, or later, do not count. Tools that may not be called never
 * appear.
 */
export async function predictSteps(
  workflows: Workflows,
  trace: Pick<ExecutionTrace, 'intent' | 'calls' | 'run' | 'at'>,
): Promise<readonly PredictedStep[]> {
  const { intent } = trace;
  const calls = trace.calls.filter(({ ok, parent }) => ok && parent === undefined);
  const done = calls.map(({ tool }) => tool);
  if (!intent || done.length === 0) return [];
  const all = await workflows.suggester.next(intent, done, pastMoments({ calls }).at(-1));
  const known = all.filter(({ tool }) => !isNewer(workflows, tool, trace));
  // The other tools share the probability of capabilities that did not exist yet.
  const total = known.reduce((sum, { probability }) => sum + probability, 0);
  const likely = known
    .map(({ tool, probability }) => ({ tool, probability: probability / total }))
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

/** Whether PML learned the capability from this execution, or later. */
function isNewer(
  { tools: { capabilities } }: Workflows,
  tool: ToolId,
  { run, at }: Pick<ExecutionTrace, 'run' | 'at'>,
): boolean {
  const capability = isCapability(tool) && capabilities.get(parseToolId(tool).tool);
  if (!capability) return false;
  return [capability.current, ...capability.others].every(
    ({ provenance }) => provenance.at > at || (run !== undefined && provenance.run === run),
  );
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
      ...workflows.bindings.correction,
      past: workflows.planning.past,
      templates: workflows.planning.templates,
    },
  );
  return { args: plan.tasks[0]?.args ?? {}, holes };
}

/** A task for each tool: the next step would take values from the last call. */
function asTasks(tools: readonly ToolId[]): readonly Task[] {
  return Array.from(idsFor(tools), ([tool, id]) => ({ id, tool, args: {}, needs: [] }));
}
