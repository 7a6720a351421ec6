import { isCapability, isJsonObject, type JsonValue, type Task } from '../../core/index.js';
import { type CompletedPlan, defaultGuess, withGuesses } from '../../planner/index.js';
import { propertiesOf } from '../../schema/index.js';
import type { Workflows } from '../workflows.js';

/**
 * The plan with the default arguments of its capabilities: if the request gives no value, the code uses
 * the value that the capability was learned with. The call contains these values, so that the agent and
 * the user see them.
 */
export function withExamples<Completed extends CompletedPlan>(
  workflows: Pick<Workflows, 'tools'>,
  completed: Completed,
): Completed {
  const { tasks } = completed.plan;
  if (!tasks.some(({ tool }) => isCapability(tool))) return completed;
  const open = new Set(completed.holes.map(({ task, param }) => `${task}\n${param}`));
  return {
    ...completed,
    plan: {
      tasks: tasks.map((task) =>
        fillExamples(workflows, task, (param) => open.has(`${task.id}\n${param}`)),
      ),
    },
  };
}

/** The same for one call. */
export function fillExamples<Call extends Pick<Task, 'tool' | 'args' | 'guessed'>>(
  workflows: Pick<Workflows, 'tools'>,
  task: Call,
  isOpen: (param: string) => boolean = () => false,
): Call {
  const schema = isCapability(task.tool)
    ? workflows.tools.definitionOf(task.tool)?.inputSchema
    : undefined;
  if (!schema) return task;
  const missing = Object.entries(propertiesOf(schema)).flatMap(
    ([param, field]): (readonly [string, JsonValue])[] => {
      const value = isJsonObject(field) ? field['default'] : undefined;
      const isTaken = value !== undefined && !Object.hasOwn(task.args, param);
      return isTaken && !isOpen(param) ? [[param, value]] : [];
    },
  );
  if (missing.length === 0) return task;
  return withGuesses(
    { ...task, args: { ...task.args, ...Object.fromEntries(missing) } },
    missing.map(([param]) => defaultGuess(task, param)),
  );
}
