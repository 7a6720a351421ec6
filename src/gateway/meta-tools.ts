import type { ToolDefinition } from '../core/index.js';

/**
 * The meta-tools as agents see them. Every word here is paid for in every conversation: the whole,
 * with the instructions, must stay within the budget that the tests hold it to.
 */

const MAX_NAMED_SERVERS = 30;

const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };

export function metaTools(servers: readonly string[]): readonly ToolDefinition[] {
  return [
    {
      name: 'pml_discover',
      title: 'Find tools',
      description: `Find tools of the connected MCP servers (${nameServers(servers)}). Returns ids and signatures to call with pml_execute_workflow.`,
      inputSchema: {
        type: 'object',
        properties: {
          intent: { type: 'string', description: 'What you want to do, in English' },
          name: { type: 'string', description: 'Exact tool' },
          pattern: { type: 'string', description: 'Glob, e.g. github:*issue*' },
          server: { type: 'string' },
          limit: { type: 'integer', default: 5 },
          detail: { enum: ['names', 'signature', 'schema'], default: 'signature' },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_execute_workflow',
      title: 'Run tools',
      description:
        'Call one tool or a whole workflow in one go. Independent tasks run in parallel. Use an earlier output in args: {"$ref":"id.path"} or "text ${id.path}".',
      inputSchema: {
        type: 'object',
        properties: {
          intent: { type: 'string' },
          tasks: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string' },
                tool: { type: 'string', description: 'server:tool' },
                args: { type: 'object' },
                needs: { type: 'array', items: { type: 'string' } },
              },
              required: ['tool'],
            },
          },
          mode: { enum: ['run', 'dry_run'] },
          approve: { enum: ['risky', 'per_layer', 'never'] },
        },
        required: ['tasks'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_continue',
      title: 'Go on with a run',
      description: 'Decide what a run asks, or collect its results.',
      inputSchema: {
        type: 'object',
        properties: {
          run: { type: 'string' },
          decision: {
            enum: ['approve', 'reject', 'retry', 'skip', 'replan', 'inject', 'abort', 'wait'],
          },
          tasks: { type: 'array', description: 'Ids; whole tasks to inject' },
          requirement: { type: 'string', description: 'For replan' },
        },
        required: ['run', 'decision'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      _meta: ALWAYS_LOAD,
    },
  ];
}

export const META_INSTRUCTIONS =
  'All MCP tools are behind PML: look them up with pml_discover, run them with pml_execute_workflow.';

export const META_TOOL_NAMES: ReadonlySet<string> = new Set([
  'pml_discover',
  'pml_execute_workflow',
  'pml_continue',
]);

function nameServers(servers: readonly string[]): string {
  if (servers.length === 0) return 'none configured yet';
  const named = servers.toSorted().slice(0, MAX_NAMED_SERVERS).join(', ');
  const rest = servers.length - MAX_NAMED_SERVERS;
  return rest > 0 ? `${named} and ${rest} more` : named;
}
