import { parseToolId, type TaskId, taskId, type ToolId } from '../../core/index.js';

const MOST_CHARACTERS = 40;

/** The id that a task of this tool gets if the id is free. */
export function nameOfTool(tool: ToolId): string {
  return parseToolId(tool).tool.replaceAll(/\W+/g, '_').slice(0, MOST_CHARACTERS) || 'task';
}

/** The wanted id, with a number behind it if another task has that id. */
export function freeId(wanted: string, taken: Iterable<TaskId>): TaskId {
  const ids = new Set<string>(taken);
  let id = wanted;
  for (let count = 2; ids.has(id); count++) id = `${wanted}_${count}`;
  return taskId(id);
}

/** An id for one task of each tool, in the order of the tools. */
export function idsFor(tools: Iterable<ToolId>): ReadonlyMap<ToolId, TaskId> {
  const ids = new Map<ToolId, TaskId>();
  for (const tool of new Set(tools)) ids.set(tool, freeId(nameOfTool(tool), ids.values()));
  return ids;
}
