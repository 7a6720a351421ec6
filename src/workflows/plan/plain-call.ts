import { isJsonObject, type JsonValue, type Task } from '../../core/index.js';
import { plainTask } from '../../plan/index.js';
import { refuseHeld } from '../../tools/index.js';
import { checkArgs } from '../../validation/index.js';
import type { Workflows } from '../workflows.js';

/** Deeper arguments go to the planner, which says how deep they may be. */
const MOST_LEVELS = 20;

/**
 * The task of a request for one call that leaves nothing open: a listed tool that may be called, valid
 * arguments, and no references. Undefined if the planner must look at it, also to say what is wrong.
 */
export function plainCall(
  { tools }: Pick<Workflows, 'tools'>,
  tasks: unknown,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Task | undefined {
  const task = plainTask(tasks);
  if (!task || mayRefer(task.args, MOST_LEVELS)) return undefined;
  if (tools.view.tools.find(task.tool)?.tool.id !== task.tool) return undefined;
  if (tools.unlistedServer(task.tool) !== undefined) return undefined;
  const { overridden } = tools.catalog;
  if (overridden.faultOf(task.tool) !== undefined) return undefined;
  if (refuseHeld(tools.catalog, task.tool, task.args) !== undefined) return undefined;
  if (tools.admit(task.tool, { isReadOnly }).denied !== undefined) return undefined;
  const schema = tools.definitionOf(task.tool)?.inputSchema;
  if (schema && checkArgs(schema, task.args, isNoReference).length > 0) return undefined;
  return task;
}

const isNoReference = () => false;

/** Whether it may name a result, a task or the context. All of these begin with a dollar sign. */
function mayRefer(value: JsonValue, levels: number): boolean {
  if (typeof value === 'string') return value.includes('$');
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (!isJsonObject(value)) return value.some((item) => mayRefer(item, levels - 1));
  for (const key in value) {
    if (key.startsWith('$') || mayRefer(value[key]!, levels - 1)) return true;
  }
  return false;
}
