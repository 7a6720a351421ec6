import {
  escapeHidden,
  hashDefinition,
  hasHidden,
  isJsonObject,
  type JsonValue,
  nestsDeeper,
  pause,
  type ToolDefinition,
} from '../core/index.js';
import { stripJson, MOST_DEFINITION_LEVELS } from './strip-json.js';

const MAX_NAME_LENGTH = 200;

export interface ParsedTool {
  /** Without hidden characters. */
  readonly definition: ToolDefinition;
  /** As its server lists it. */
  readonly listed: ToolDefinition;
  /** Of the listed form. */
  readonly hash: string;
  /** Why agents must not see it. */
  readonly fault: string | undefined;
  /** Where hidden characters were. */
  readonly hidden: readonly string[];
}

/** What is wrong with a well-formed definition; undefined if it may be used. */
export type ToolFault = (definition: ToolDefinition) => string | undefined;

/** What `readAhead` read, by the item of the list. It is freed together with the list. */
const readTools = new WeakMap<object, ParsedTool>();

/** Reads a list in slices, so that `parseTools` does not hold the loop with thousands of tools. */
export async function readAhead(raw: readonly unknown[]): Promise<void> {
  for (const item of raw) {
    const name = nameOf(item);
    if (name !== undefined) readTool(item as Record<string, unknown>, name);
    await pause();
  }
}

/**
 * Reads a server's list one tool at a time: a broken tool is quarantined with the reason, the
 * others stay. A tool without a usable name is only counted.
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
    const name = nameOf(item);
    if (name === undefined) {
      nameless++;
      continue;
    }
    const read = readTool(item as Record<string, unknown>, name);
    const tool = { ...read, fault: read.fault ?? otherFaultOf(read.listed) };
    // The first definition counts; a second one with the same name is a mistake of the server.
    if (!tools.has(tool.definition.name)) tools.set(tool.definition.name, tool);
  }
  return { tools: [...tools.values()], nameless };
}

/** Undefined if the tool has no usable name. */
function nameOf(item: unknown): string | undefined {
  const name = isJsonObject(item) ? item['name'] : undefined;
  const isUsable = typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH;
  return isUsable ? name : undefined;
}

function readTool(item: Record<string, unknown>, name: string): ParsedTool {
  const known = readTools.get(item);
  if (known) return known;
  const read = parseTool(item, name);
  readTools.set(item, read);
  return read;
}

function parseTool(item: Record<string, unknown>, name: string): ParsedTool {
  if (nestsDeeper(item as JsonValue, MOST_DEFINITION_LEVELS)) {
    const listed = { name, inputSchema: {} };
    const definition = { ...listed, name: escapeHidden(name) };
    const fault = 'its definition is nested too deeply';
    return { definition, listed, hash: hashDefinition(listed), fault, hidden: [] };
  }
  const listed = usable(item as ToolDefinition);
  const { value, hidden, isNameHidden } = stripJson(listed);
  return {
    definition: hasHidden(name) ? { ...value, name: escapeHidden(name) } : value,
    listed,
    hash: hashDefinition(listed),
    fault: faultOf(item) ?? nameFault(name, isNameHidden),
    hidden,
  };
}

/** An agent that types the visible name would call another tool, or none. */
function nameFault(name: string, isNameHidden: boolean): string | undefined {
  if (hasHidden(name)) return 'its name has invisible characters';
  return isNameHidden ? 'the name of a parameter has invisible characters' : undefined;
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

/** Stored definitions must fit the type even if they are broken. */
function usable(tool: ToolDefinition): ToolDefinition {
  return isJsonObject(tool.inputSchema) ? tool : { ...tool, inputSchema: {} };
}
