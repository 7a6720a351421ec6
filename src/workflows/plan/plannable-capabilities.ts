import type { Capabilities } from '../../capabilities/index.js';
import {
  type Capability,
  isCapability,
  type JsonObject,
  parseToolId,
  type ToolId,
} from '../../core/index.js';
import type { PlannableTool } from '../../planner/index.js';
import { capabilityTool } from '../../tools/index.js';
import { withExamples } from './lifted-examples.js';
import type { Planning } from './planning.js';

interface CapableParts {
  readonly tools: { readonly capabilities: Pick<Capabilities, 'get'> };
  readonly planning: Planning;
}

interface Known {
  /** The inputs of this entry besides the parameters. */
  readonly said: string;
  readonly observed: JsonObject | undefined;
  readonly tool: PlannableTool;
}

/** The planner caches its work by tool object, so the objects must stay the same. */
const knownBy = new WeakMap<JsonObject, Known>();

/** Tools and capabilities for planning, with their parameters and, if known, their results. */
export function plannablesOf(
  { tools: { capabilities }, planning }: CapableParts,
  ids: Iterable<ToolId>,
): ReadonlyMap<ToolId, PlannableTool> {
  const all = [...ids];
  const own = all.filter(isCapability).flatMap((id): [ToolId, PlannableTool][] => {
    const capability = capabilities.get(parseToolId(id).tool);
    return capability ? [[id, plannableOf(capability, planning)]] : [];
  });
  return new Map([...planning.tools(all), ...own]);
}

function plannableOf(capability: Capability, planning: Planning): PlannableTool {
  const { description, intents, current } = capability;
  const tool = capabilityTool(capability);
  const observed = planning.seenOutput(tool);
  const said = [description, ...intents].join('\n').toLowerCase();
  const { successes } = current.statistics;
  const known = knownBy.get(current.parameters);
  const isSame = known?.said === said && known.tool.provenBy === successes;
  if (isSame && known.observed === observed) return known.tool;
  const plannable: PlannableTool = {
    id: tool.id,
    description,
    inputSchema: withExamples(tool.definition.inputSchema, { said, successes }),
    provenBy: successes,
    served: intents,
    ...(observed && { output: { schema: observed, source: 'observed' as const } }),
  };
  knownBy.set(current.parameters, { said, observed, tool: plannable });
  return plannable;
}
