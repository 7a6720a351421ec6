import type { ToolDefinition } from '../core/index.js';

/**
 * The meta-tools as agents see them. Every word here is paid for in every conversation: the whole,
 * with the instructions, must stay within the budget that the tests hold it to.
 */

const MAX_NAMED_SERVERS = 20;

const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };
const ACTS = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
const TEXT = { type: 'string' };

export function metaTools(servers: readonly string[]): readonly ToolDefinition[] {
  return [
    {
      name: 'pml_discover',
      title: 'Find tools',
      description: `Find tools of the MCP servers ${nameServers(servers)}. Gives ids and signatures for pml_execute_workflow.`,
      inputSchema: {
        type: 'object',
        properties: {
          intent: { type: 'string', description: 'What to do, in English' },
          name: TEXT,
          pattern: { type: 'string', description: 'Glob: github:*issue*' },
          limit: { type: 'integer', default: 5 },
          detail: { enum: ['names', 'signature', 'schema'] },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_execute_workflow',
      title: 'Run tools',
      description:
        'Call one tool or a whole workflow, in parallel. Use outputs in args: {"$ref":"id.path"} or "text ${id.path}".',
      inputSchema: {
        type: 'object',
        properties: {
          tasks: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: TEXT,
                tool: { type: 'string', description: 'server:tool' },
                args: { type: 'object' },
                needs: { type: 'array' },
              },
            },
          },
          intent: TEXT,
          mode: { enum: ['run', 'dry_run'] },
          approve: { enum: ['risky', 'per_layer', 'never'] },
        },
        required: ['tasks'],
      },
      annotations: ACTS,
      _meta: ALWAYS_LOAD,
    },
    {
      name: 'pml_continue',
      title: 'Go on with a run',
      description: 'Decide what a run asks, or wait for it.',
      inputSchema: {
        type: 'object',
        properties: {
          run: TEXT,
          decision: {
            enum: ['approve', 'reject', 'retry', 'skip', 'replan', 'inject', 'abort', 'wait'],
          },
          tasks: { type: 'array' },
          requirement: TEXT,
        },
      },
      annotations: ACTS,
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
