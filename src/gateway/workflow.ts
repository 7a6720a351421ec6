import { randomBytes } from 'node:crypto';

import {
  isJsonObject,
  type JsonObject,
  parseToolId,
  type Plan,
  PmlError,
  type Progress,
  type RunEvent,
  runId,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import { applyEvent, initialRunState, runPlan, summarizeRun } from '../executor/index.js';
import { parsePlan } from '../planner/index.js';
import type { RequestContext } from './request-context.js';

export interface WorkflowOptions {
  readonly maxTasks: number;
  readonly concurrency: number;
  /** Throws when the tool does not exist, before anything runs. */
  readonly assertTool: (tool: ToolId) => void;
  readonly call: (tool: ToolId, args: JsonObject, context: RequestContext) => Promise<ToolResult>;
}

type WorkflowOutcome =
  | { readonly kind: 'single'; readonly tool: ToolId; readonly result: ToolResult }
  | {
      readonly kind: 'run';
      readonly summary: ReturnType<typeof summarizeRun>;
    };

/**
 * Runs explicit tasks. One task alone is answered as a direct call would be, so that nothing a
 * tool can give is lost in between; several give a run.
 */
export async function executeWorkflow(
  args: JsonObject,
  context: RequestContext,
  options: WorkflowOptions,
): Promise<WorkflowOutcome> {
  const plan = readPlan(args, options);
  const [only, ...others] = plan.tasks;
  if (only && others.length === 0) {
    const { tool } = only;
    return { kind: 'single', tool, result: await options.call(tool, only.args, context) };
  }
  return { kind: 'run', summary: await run(plan, context, options) };
}

function readPlan(args: JsonObject, { maxTasks, assertTool }: WorkflowOptions): Plan {
  const unknown = Object.keys(args).filter((key) => key !== 'tasks' && key !== 'intent');
  if (unknown.length > 0 || args['tasks'] === undefined) {
    const what = unknown.length > 0 ? `Unknown: ${unknown.join(', ')}. ` : '';
    const shape = '{"tasks":[{"id":"a","tool":"server:tool","args":{}}]}';
    throw new PmlError('PLAN_INVALID', `${what}pml_execute_workflow takes ${shape}`);
  }
  const plan = parsePlan(args['tasks'], { maxTasks });
  const problems = plan.tasks.flatMap(({ id, tool }) => {
    try {
      assertTool(tool);
      return [];
    } catch (error) {
      if (!(error instanceof PmlError)) throw error;
      return [{ code: error.code, message: `task ${id}: ${error.message}` }];
    }
  });
  const [first] = problems;
  if (first) {
    const isOne = problems.every(({ code }) => code === first.code);
    const text = problems.map(({ message }) => message).join('\n');
    throw new PmlError(isOne ? first.code : 'PLAN_INVALID', text);
  }
  return plan;
}

async function run(plan: Plan, context: RequestContext, options: WorkflowOptions) {
  const tools = {
    call: (
      tool: ToolId,
      args: JsonObject,
      call: { signal: AbortSignal; onProgress?: (progress: Progress) => void },
    ) => options.call(tool, args, { ...context, signal: call.signal, onProgress: call.onProgress }),
  };
  let state = initialRunState;
  const report = progressReporter(plan.tasks.length, context.onProgress);
  const events = runPlan(plan, tools, {
    run: runId(`run_${randomBytes(9).toString('base64url')}`),
    concurrency: options.concurrency,
    signal: context.signal,
  });
  for await (const event of events) {
    state = applyEvent(state, event);
    report(event);
  }
  return summarizeRun(state);
}

/** Progress of a run: how many tasks are through, and what the running ones report. */
function progressReporter(
  total: number,
  onProgress: RequestContext['onProgress'],
): (event: RunEvent) => void {
  let done = 0;
  return (event) => {
    if (!onProgress) return;
    switch (event.type) {
      case 'task-succeeded':
      case 'task-failed':
      case 'task-skipped':
        done++;
        return onProgress({
          progress: done,
          total,
          message: `${event.task} ${event.type.slice(5)}`,
        });
      case 'task-progress': {
        const { progress, total: of, message } = event.progress;
        const text = message ?? `${progress}${of === undefined ? '' : ` of ${of}`}`;
        return onProgress({ progress: done, total, message: `${event.task}: ${text}` });
      }
      case 'run-started':
      case 'task-started':
      case 'run-finished':
        return undefined;
    }
  };
}

/** Splits a tool id of the agent; errors say what an id looks like. */
export function splitTool(tool: string): ReturnType<typeof parseToolId> {
  try {
    return parseToolId(tool);
  } catch (error) {
    throw new PmlError('TOOL_UNKNOWN', (error as Error).message, { cause: error });
  }
}

export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
