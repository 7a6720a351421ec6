import {
  type ApprovalMode,
  BUILT_IN_SERVER,
  isCapability,
  parseToolId,
  type Principal,
  type RunId,
  type Task,
  type ToolResult,
} from '../../core/index.js';
import { limitResult } from '../../results/index.js';
import type { LoneOutcome } from '../../runs/index.js';
import type { RequestContext } from '../../tools/index.js';
import type { WorkflowRequest } from '../plan/read-workflow.js';
import type { Workflows } from '../workflows.js';
import { ownerOf } from './run-owner.js';

export interface AloneOptions {
  readonly tasks: readonly Task[];
  readonly approve: ApprovalMode;
  readonly context: RequestContext | undefined;
  readonly isReadOnly: boolean;
  readonly intent?: string;
}

/**
 * Makes the one call of a request the short way: PML does not plan, ask or report on the
 * way. Gives nothing back, and has done nothing, where the request needs a run.
 */
export async function callAlone(
  workflows: Workflows,
  request: WorkflowRequest,
  { tasks, approve, context, isReadOnly, intent }: AloneOptions,
): Promise<LoneOutcome | undefined> {
  const [task] = tasks;
  if (!task || tasks.length > 1 || !context || request.context || !isPlain(task)) return undefined;
  if (request.answer_within_ms !== undefined || approve === 'per_layer') return undefined;
  if (context.onProgress || context.signal.aborted) return undefined;
  const { ask, denied, isReading, repeatable } = workflows.tools.admit(task.tool, {
    approve,
    isReadOnly,
  });
  if (ask || denied !== undefined) return undefined;
  const run = {
    task,
    approve,
    context: {},
    ...(isReadOnly && { isReadOnly }),
    ...(intent && { intent }),
    ...ownerOf(context.caller),
  };
  return workflows.runs.callAlone(run, {
    signal: context.signal,
    repeatable,
    isRead: isReading && repeatable,
    onBegun: (id) => workflows.clients.attach(id, context),
  });
}

/** Nothing in it was guessed, comes from elsewhere, or has rules of its own. */
function isPlain({ tool, needs, guessed, timeoutMs }: Task): boolean {
  if (guessed || timeoutMs !== undefined || needs.length > 0 || isCapability(tool)) return false;
  return parseToolId(tool).server !== BUILT_IN_SERVER;
}

/** The result as a direct call would give it, and the run it is remembered as. */
export function limitedAnswer(
  workflows: Workflows,
  { run, owner }: { readonly run: RunId; readonly owner: Principal },
  result: ToolResult,
): ToolResult {
  const { limits, exposure } = workflows.tools.settings;
  const hasMetaTools = exposure.mode !== 'proxy';
  const limited = limitResult(result, workflows.results.of(owner), { ...limits, hasMetaTools });
  return { ...limited, _meta: { ...limited._meta, 'pml/run': run } };
}
