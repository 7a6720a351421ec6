import type { Capabilities } from '../../capabilities/index.js';
import {
  type Capability,
  isCapability,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseToolId,
  type ToolId,
} from '../../core/index.js';
import type { PlannableTool } from '../../planner/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';
import { capabilityTool } from '../../tools/index.js';
import type { Planning } from './planning.js';

interface CapableParts {
  readonly tools: { readonly capabilities: Pick<Capabilities, 'get'> };
  readonly planning: Planning;
}

interface Known {
  /** What it was made of besides its parameters. */
  readonly said: string;
  readonly observed: JsonObject | undefined;
  readonly tool: PlannableTool;
}

/** The planner keeps what it works out of a tool by the object it is given. */
const knownBy = new WeakMap<JsonObject, Known>();

/** Tools and capabilities as planning sees them: what they take, and what they give as far as is known. */
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
  const known = knownBy.get(current.parameters);
  if (known && known.said === said && known.observed === observed) return known.tool;
  const plannable: PlannableTool = {
    id: tool.id,
    description,
    inputSchema: withoutSaid(tool.definition.inputSchema, said),
    ...(observed && { output: { schema: observed, source: 'observed' as const } }),
  };
  knownBy.set(current.parameters, { said, observed, tool: plannable });
  return plannable;
}

/**
 * A default that stood in the request it was made for is what was wanted then. Whoever wants it again
 * has to say what is wanted now.
 */
function withoutSaid(schema: JsonObject, said: string): JsonObject {
  const properties = propertiesOf(schema);
  const asked = Object.entries(properties).filter(([, field]) => {
    return isJsonObject(field) && isIn(said, field['default']);
  });
  if (asked.length === 0) return schema;
  const open = asked.map(([name, field]) => {
    const { default: _before, ...rest } = field as JsonObject;
    return [name, rest] as const;
  });
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(open) },
    required: [...new Set([...requiredOf(schema), ...open.map(([name]) => name)])],
  };
}

function isIn(said: string, value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return said.split(/[^\d.]+/).includes(String(value));
  return typeof value === 'string' && value.trim() !== '' && said.includes(value.toLowerCase());
}
