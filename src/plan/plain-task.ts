import { isJsonObject, type JsonValue, type Task, taskId, type ToolId } from '../core/index.js';
import { isTaskId } from './read-ids.js';

const KEYS: ReadonlySet<string> = new Set(['id', 'tool', 'args']);
const FIRST_ID = taskId('t1');

/**
 * The task of a request that is one tool with arguments, and nothing more. Undefined for every other
 * request: `parsePlan` reads all of them, and says what is wrong. The tool may not exist.
 */
export function plainTask(tasks: unknown): Task | undefined {
  if (!Array.isArray(tasks) || tasks.length !== 1) return undefined;
  const asked = tasks[0] as JsonValue;
  if (!isJsonObject(asked)) return undefined;
  for (const key in asked) if (!KEYS.has(key)) return undefined;
  const { id = FIRST_ID, tool, args = {} } = asked;
  if (typeof id !== 'string' || !isTaskId(id)) return undefined;
  if (typeof tool !== 'string' || !isJsonObject(args)) return undefined;
  return { id: taskId(id), tool: tool as ToolId, args, needs: [] };
}
