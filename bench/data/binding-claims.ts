import { type TaskId, taskId, type ToolId } from '../../src/core/index.js';
import type { Claim } from '../../src/learning/index.js';
import { BindingMemory, inferFlow, type PlannableTool } from '../../src/planner/index.js';
import { inputParameters } from '../../src/schema/index.js';
import type { ToolSet } from './tool-set.js';

export interface FlowRow {
  readonly order?: readonly string[];
  readonly gold: readonly (readonly string[])[];
  readonly edges?: readonly { readonly s: string; readonly t: string; readonly param?: string }[];
}

/** What the planner claims of one parameter: that a tool is its source. */
export interface BindingClaim extends Claim {
  /** Whether values go from the one tool to the other at all. */
  readonly isRightEdge: boolean;
}

/** What a plan of the question's tools would be filled with, without any memory, and whether it is right. */
export function bindingClaims(
  { order, gold, edges = [] }: FlowRow,
  toolSet: ToolSet,
  tools: ReadonlyMap<ToolId, PlannableTool>,
): readonly BindingClaim[] {
  const names = [...new Set(order ?? gold.map(([first = '']) => first))].toSorted();
  const tasks = names.flatMap((name, place) => {
    const tool = toolSet.idOf.get(name);
    return tool ? [{ id: taskId(`t${place}`), tool, needs: [], open: 'all' as const, name }] : [];
  });
  const nameOf = new Map<TaskId, string>(tasks.map(({ id, name }) => [id, name]));
  const claimed = new Set<string>();
  return inferFlow(tasks, { tools, memory: new BindingMemory() }).links.flatMap((link) => {
    const [from, to] = [nameOf.get(link.from), nameOf.get(link.to)];
    const { inputSchema } = tools.get(toolSet.idOf.get(to ?? '')!)!;
    const parameters = inputParameters(inputSchema);
    const isFilled = parameters.some(({ path, isRequired }) => path === link.param && isRequired);
    const key = `${to} ${link.param}`;
    if (!isFilled || link.path === undefined || claimed.has(key)) return [];
    claimed.add(key);
    const own = edges.filter(({ s, t }) => s === from && t === to);
    // Some answers name a parameter that the tool does not have.
    const isNamed = ({ param }: { readonly param?: string }) =>
      param === link.param || !parameters.some(({ path }) => path === param);
    const isRight = own.some(isNamed);
    return [{ confidence: link.probability, isRight, isRightEdge: own.length > 0 }];
  });
}
