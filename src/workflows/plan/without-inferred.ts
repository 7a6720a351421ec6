import type { Task, ToolId } from '../../core/index.js';
import { referenceTo } from '../../plan/index.js';
import type { CompletedPlan, Hole, InferredBinding, PlannableTool } from '../../planner/index.js';
import { inputParameters } from '../../schema/index.js';

interface Late {
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
  /** Why the comparison was not ready in time. */
  readonly because: string;
}

/**
 * The plan without inferred values. The model was not ready, so the same request might get another
 * value, or none, a moment later. Each hole names this reason.
 */
export function withoutInferred<Completed extends CompletedPlan>(
  completed: Completed,
  { tools, because }: Late,
): Completed {
  const { plan, bindings, holes } = completed;
  const toolOf = new Map(plan.tasks.map(({ id, tool }) => [id, tool]));
  const open = bindings.map((binding): Hole => {
    const { to, param, from, path, score } = binding;
    const tool = toolOf.get(to);
    const schema = tool && tools.get(tool)?.inputSchema;
    const parameter = schema && inputParameters(schema).find((one) => one.path === param);
    const reference = JSON.stringify({ $ref: referenceTo(from, path) });
    return {
      task: to,
      param,
      type: parameter?.types.join(' | ') || 'any',
      ...(parameter?.description && { description: parameter.description }),
      hint: `perhaps ${reference} (${score.toFixed(2)})`,
    };
  });
  return {
    ...completed,
    plan: { tasks: plan.tasks.map((task) => without(task, bindings)) },
    bindings: [],
    holes: [...holes, ...open].map((hole) => ({
      ...hole,
      hint: [hole.hint, because].filter(Boolean).join('; '),
    })),
  };
}

function without(task: Task, bindings: readonly InferredBinding[]): Task {
  const own = new Set(bindings.filter(({ to }) => to === task.id).map(({ param }) => param));
  if (own.size === 0) return task;
  const keep = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([param]) => !own.has(param)));
  const { guessed = {}, ...rest } = task;
  const left = keep(guessed);
  return {
    ...rest,
    args: keep(task.args),
    ...(Object.keys(left).length > 0 && { guessed: left }),
  };
}
