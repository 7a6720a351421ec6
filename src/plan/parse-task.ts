import {
  closestWord,
  isJsonObject,
  type JsonObject,
  messageOf,
  parseToolId,
  type Task,
  type TaskId,
  taskId,
  type ToolId,
} from '../core/index.js';
import { findReferences } from './find-references.js';
import type { Problems } from './problems.js';

export interface TaskContext {
  readonly id: TaskId;
  /** Where the task stands in the request: `tasks[2]`. */
  readonly path: string;
  readonly known: ReadonlySet<TaskId>;
  /** Whether `${context.…}` means the context of the run. */
  readonly hasContext: boolean;
  readonly problems: Problems;
}

const MOST_TIMEOUT_MS = 24 * 3_600_000;
const NO_TOOL = '' as ToolId;
const KEYS = ['id', 'tool', 'args', 'needs', 'timeout_ms'];

/** Words other workflow formats use for ours. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  arguments: 'args',
  depends_on: 'needs',
  dependsOn: 'needs',
  input: 'args',
  inputs: 'args',
  name: 'tool',
  params: 'args',
  parameters: 'args',
  timeout: 'timeout_ms',
  timeoutMs: 'timeout_ms',
};

/** Always gives a task; it is only worth something if no problem was added. */
export function parseTask(task: unknown, context: TaskContext): Task {
  const { id, path, problems } = context;
  if (!isJsonObject(task)) {
    problems.expected(path, 'an object with a `tool`', task);
    return { id, tool: NO_TOOL, args: {}, needs: [] };
  }
  checkKeys(task, context);
  const tool = readTool(task['tool'], context);
  const args = readArgs(task['args'], context);
  const needs = [...readNeeds(task['needs'], context), ...findReferences(args, context)];
  const timeoutMs = readTimeout(task['timeout_ms'], context);
  return {
    id,
    tool,
    args,
    needs: [...new Set(needs)],
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function checkKeys(task: JsonObject, { path, problems }: TaskContext): void {
  for (const key of Object.keys(task).filter((name) => !KEYS.includes(name))) {
    const meant = OTHER_WORDS[key] ?? closestWord(key, KEYS);
    const hint = meant ? `did you mean \`${meant}\`?` : `known are ${KEYS.join(', ')}`;
    problems.add(`${path}.${key}`, `unknown key; ${hint}`);
  }
}

function readTool(tool: unknown, { path, problems }: TaskContext): ToolId {
  if (typeof tool !== 'string') {
    problems.expected(`${path}.tool`, 'a string `server:tool`', tool);
    return NO_TOOL;
  }
  try {
    return parseToolId(tool).id;
  } catch (error) {
    problems.add(`${path}.tool`, messageOf(error));
    return NO_TOOL;
  }
}

function readArgs(args: unknown, { path, problems }: TaskContext): JsonObject {
  if (args === undefined) return {};
  if (isJsonObject(args)) return args;
  problems.expected(`${path}.args`, 'an object', args);
  return {};
}

function readTimeout(timeout: unknown, { path, problems }: TaskContext): number | undefined {
  if (timeout === undefined) return undefined;
  const isFine = Number.isInteger(timeout) && (timeout as number) > 0;
  if (isFine && (timeout as number) <= MOST_TIMEOUT_MS) return timeout as number;
  problems.expected(`${path}.timeout_ms`, `milliseconds from 1 to ${MOST_TIMEOUT_MS}`, timeout);
  return undefined;
}

function readNeeds(needs: unknown, context: TaskContext): readonly TaskId[] {
  if (needs === undefined) return [];
  if (Array.isArray(needs)) return needs.flatMap((need, index) => readNeed(need, index, context));
  context.problems.expected(`${context.path}.needs`, 'an array of task ids', needs);
  return [];
}

function readNeed(need: unknown, index: number, context: TaskContext): readonly TaskId[] {
  const { path, known, problems } = context;
  if (typeof need !== 'string') {
    problems.expected(`${path}.needs[${index}]`, 'a task id', need);
  } else if (known.has(taskId(need))) {
    return [taskId(need)];
  } else {
    problems.unknownTask(`${path}.needs[${index}]`, need, known);
  }
  return [];
}
