import { isJsonObject, type ToolDefinition } from '../core/index.js';

const MAX_NAME_LENGTH = 200;

export interface ParsedTool {
  readonly definition: ToolDefinition;
  /** Why agents must not see it. */
  readonly fault: string | undefined;
}

/** What is wrong with a definition that is well formed; nothing if it may be used. */
export type ToolFault = (definition: ToolDefinition) => string | undefined;

/**
 * Reads a server's list one tool at a time: a broken tool is set aside with the reason, the others
 * stay. A tool without a usable name cannot even be set aside and is only counted.
 */
export function parseTools(
  raw: readonly unknown[],
  otherFaultOf: ToolFault = () => undefined,
): {
  readonly tools: readonly ParsedTool[];
  readonly nameless: number;
} {
  const tools = new Map<string, ParsedTool>();
  let nameless = 0;
  for (const item of raw) {
    const name = isJsonObject(item) ? item['name'] : undefined;
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
      nameless++;
      continue;
    }
    // The first definition counts; a second one under its name could only be a mix-up.
    if (tools.has(name)) continue;
    const definition = usable(item as ToolDefinition);
    const fault = faultOf(item as Record<string, unknown>) ?? otherFaultOf(definition);
    tools.set(name, { definition, fault });
  }
  return { tools: [...tools.values()], nameless };
}

function faultOf(tool: Record<string, unknown>): string | undefined {
  const { inputSchema, outputSchema, description, annotations } = tool;
  if (!isJsonObject(inputSchema)) return 'inputSchema is not an object';
  if (inputSchema['type'] !== 'object') {
    return `inputSchema.type must be "object", got ${JSON.stringify(inputSchema['type'])}`;
  }
  if (outputSchema !== undefined && !isJsonObject(outputSchema)) {
    return 'outputSchema is not an object';
  }
  if (description !== undefined && typeof description !== 'string') {
    return 'description is not a text';
  }
  if (annotations !== undefined && !isJsonObject(annotations))
    return 'annotations is not an object';
  return undefined;
}

/** What is stored must fit the type even when it is broken. */
function usable(tool: ToolDefinition): ToolDefinition {
  return isJsonObject(tool.inputSchema) ? tool : { ...tool, inputSchema: {} };
}
