import {
  type JsonObject,
  type JsonValue,
  type TaskId,
  type ToolResult,
  unreachable,
} from '../core/index.js';
import type { RunSummary, TaskSummary } from '../executor/index.js';
import { outputValue } from '../planner/index.js';
import { bytesOf } from './cut-text.js';
import type { KeptResults } from './kept-results.js';
import { previewOf, type ResultLimits } from './limit-result.js';

/** A shorter preview would tell nothing. */
const LEAST_BYTES = 200;

/**
 * The answer to a workflow of several tasks: one JSON text with status and results by task, then
 * whatever is not text (pictures, links) as it came.
 */
export function workflowAnswer(
  summary: RunSummary,
  kept: KeptResults,
  limits: ResultLimits,
): ToolResult {
  // All results together must stay about within what one result may have.
  const share = Math.max(LEAST_BYTES, limits.resultBytes / summary.tasks.length);
  const own = { resultBytes: share, previewBytes: Math.min(limits.previewBytes, share) };
  const tasks = summary.tasks.map((task) => [task.id, describeTask(task, kept, own)] as const);
  const answer = {
    status: summary.status,
    ...(summary.run && { run: summary.run }),
    tasks: Object.fromEntries<JsonObject>(tasks as readonly (readonly [TaskId, JsonObject])[]),
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }, ...summary.tasks.flatMap(mediaOf)],
    structuredContent: answer,
    ...(summary.status !== 'completed' && { isError: true }),
  };
}

function describeTask(task: TaskSummary, kept: KeptResults, limits: ResultLimits): JsonObject {
  switch (task.status) {
    case 'succeeded':
      return { status: 'completed', result: fit(task.result, kept, limits) };
    case 'failed':
      return { status: 'failed', error: { ...task.error } };
    case 'skipped':
      return { status: 'skipped', because: task.because };
    case 'waiting':
    case 'running':
      return { status: 'aborted' };
    default:
      return unreachable(task);
  }
}

function fit(result: ToolResult, kept: KeptResults, limits: ResultLimits): JsonValue {
  const value = outputValue({
    ...result,
    content: result.content.filter((block) => !isMedia(block)),
  });
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return bytesOf(text) <= limits.resultBytes ? value : previewOf(text, kept, limits).structured;
}

function mediaOf(task: TaskSummary): readonly JsonObject[] {
  return task.status === 'succeeded' ? task.result.content.filter(isMedia) : [];
}

function isMedia(block: JsonObject): boolean {
  return block['type'] !== 'text';
}
