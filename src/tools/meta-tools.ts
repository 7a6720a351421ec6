import type { JsonObject, ToolDefinition } from '../core/index.js';

/**
 * The meta-tools as agents see them. Every word here is paid for in every conversation: the whole,
 * with the instructions, must stay within the budget that the tests hold it to. So the schemas name
 * the parameters that agents need first. PML accepts further ones, which answers and errors name.
 * The schemas keep to what the strictest clients accept; `test/helpers/client-schema-rules.ts` lists
 * their rules.
 */

/** About as many tokens the names of the servers may cost; the rest are only counted. */
const NAME_PIECES = 10;

const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };
const ACTS = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
const TEXT = { type: 'string' };
/** An object with any keys. Gemini refuses an object schema that names no property. */
const OPEN_OBJECT = { type: 'object', properties: { _: TEXT } };

export function metaTools(servers: readonly string[]): readonly ToolDefinition[] {
  return [
    {
      name: 'pml_discover',
      title: 'Find tools',
      description: `Find tools of MCP servers ${nameServers(servers)}.`,
      inputSchema: {
        type: 'object',
        properties: {
          intent: { type: 'string', description: 'In English' },
          pattern: { type: 'string', description: 'github:*issue*' },
          detail: oneOf('schema'),
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_read',
      title: 'Run tools that only read',
      description: 'Run tasks or code with tools that only read.',
      inputSchema: {
        type: 'object',
        properties: { code: TEXT, tasks: listOf({ tool: TEXT, args: OPEN_OBJECT }) },
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_execute_workflow',
      title: 'Run tools',
      description:
        'Run tasks {id,tool:"server:tool"|"cap:name",args,needs?} in parallel; outputs in args: {"$ref":"id.path"} or "text ${id.path}". An intent alone gets a plan.',
      inputSchema: {
        type: 'object',
        properties: {
          tasks: listOf({ id: TEXT, tool: TEXT, args: OPEN_OBJECT }),
          intent: TEXT,
          approve: oneOf('risky', 'per_layer'),
        },
      },
      annotations: ACTS,
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_execute_code',
      title: 'Run code over tools',
      description:
        'Run TypeScript: await mcp.server.tool(args), cap.name(args), console; the last value is the result.',
      inputSchema: {
        type: 'object',
        properties: { code: TEXT, intent: TEXT },
        required: ['code'],
      },
      annotations: ACTS,
      _meta: ALWAYS_LOAD,
    },
    {
      name: CONTINUE_TOOL,
      title: 'Go on with a run',
      description: "Give the user's answer to what a run asks, or wait.",
      inputSchema: {
        type: 'object',
        properties: {
          run: TEXT,
          decision: oneOf(
            'approve',
            'reject',
            'retry',
            'skip',
            'replan',
            'inject',
            'abort',
            'wait',
          ),
          tasks: { type: 'array', items: TEXT },
        },
      },
      annotations: ACTS,
      _meta: ALWAYS_LOAD,
    },
  ];
}

/** Gemini refuses an enum without a type. */
function oneOf(...values: readonly string[]): JsonObject {
  return { type: 'string', enum: values };
}

/** VS Code, OpenAI and Gemini refuse an array without items. */
function listOf(properties: JsonObject): JsonObject {
  return { type: 'array', items: { type: 'object', properties } };
}

/** Decides what runs ask, also where the other meta-tools are not shown. */
export const CONTINUE_TOOL = 'pml_continue';

export const META_INSTRUCTIONS = 'Find MCP tools with pml_discover, run them with pml_execute_*.';

export const META_TOOL_NAMES: ReadonlySet<string> = new Set([
  'pml_discover',
  'pml_read',
  'pml_execute_workflow',
  'pml_execute_code',
  CONTINUE_TOOL,
]);

function nameServers(servers: readonly string[]): string {
  if (servers.length === 0) return '(none configured yet)';
  const sorted = servers.toSorted();
  let named = sorted.length;
  while (named > 1 && piecesOf(sorted.slice(0, named).join(', ')) > NAME_PIECES) named--;
  const rest = sorted.length - named;
  const names = sorted.slice(0, named).join(', ');
  return rest > 0 ? `${names} and ${rest} more` : names;
}

/** Names break into words, numbers and marks. */
function piecesOf(text: string): number {
  return text.match(/[a-z]+|\d+|[^a-z\d\s]/gi)?.length ?? 0;
}
