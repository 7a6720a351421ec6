import type { ToolDefinition } from '../core/index.js';

/**
 * The meta-tools as agents see them. Every word here is paid for in every conversation: the whole,
 * with the instructions, must stay within the budget that the tests hold it to.
 */

/** About as many tokens the names of the servers may cost; the rest are only counted. */
const NAME_PIECES = 28;

const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };
const ACTS = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
const TEXT = { type: 'string' };
const LIST = { type: 'array' };
const OBJECT = { type: 'object' };

export function metaTools(servers: readonly string[]): readonly ToolDefinition[] {
  return [
    {
      name: 'pml_discover',
      title: 'Find tools',
      description: `Find tools of the MCP servers ${nameServers(servers)}.`,
      inputSchema: {
        type: 'object',
        properties: {
          intent: { type: 'string', description: 'In English' },
          pattern: { type: 'string', description: 'Glob: github:*issue*' },
          limit: { type: 'integer' },
          detail: { enum: ['names', 'signature', 'schema'] },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_read',
      title: 'Run tools that only read',
      description: 'As pml_execute_code or _workflow, with read-only tools.',
      inputSchema: { type: 'object', properties: { code: TEXT, tasks: LIST } },
      annotations: { readOnlyHint: true, openWorldHint: true },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_execute_workflow',
      title: 'Run tools',
      description:
        'Run tasks [{id,tool:"server:tool",args,needs?}] in parallel; outputs in args: {"$ref":"id.path"} or "text ${id.path}". Or run a capability. An intent alone gets a plan.',
      inputSchema: {
        type: 'object',
        properties: {
          tasks: LIST,
          intent: TEXT,
          capability: TEXT,
          args: OBJECT,
          mode: { enum: ['run', 'dry_run'] },
          approve: { enum: ['risky', 'per_layer'] },
        },
      },
      annotations: ACTS,
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_execute_code',
      title: 'Run code over tools',
      description:
        'Run TypeScript: await mcp.server.tool(args), cap.name(args), console, args; the last value is the result.',
      inputSchema: {
        type: 'object',
        properties: { code: TEXT, intent: TEXT, args: OBJECT },
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
          decision: {
            enum: ['approve', 'reject', 'retry', 'skip', 'replan', 'inject', 'abort', 'wait'],
          },
          tasks: LIST,
          requirement: TEXT,
        },
      },
      annotations: ACTS,
      _meta: ALWAYS_LOAD,
    },
  ];
}

/** Decides what runs ask, also where the other meta-tools are not shown. */
export const CONTINUE_TOOL = 'pml_continue';

export const META_INSTRUCTIONS =
  'All MCP tools are behind PML: find them with pml_discover, run them with pml_execute_*.';

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
