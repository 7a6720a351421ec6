import type { ApprovalMode, ToolId } from '../core/index.js';
import type { ToolPolicy } from './tool-policy.js';

/** How a tool is called. */
export interface AdmittedCall {
  /** Of the run, or of the configuration. */
  readonly approve?: ApprovalMode;
  /** Whether only tools that change nothing may be called. */
  readonly isReadOnly?: boolean;
  /** Whether the client lists the tool with its annotations, and so asks its user about it by itself. */
  readonly isListed?: boolean;
}

export interface Admission {
  /** Why the call is refused, in words an agent can act on. */
  readonly denied?: string;
  /** Who must approve it first. Where `agent` may, a user who can be asked still comes first. */
  readonly ask?: { readonly whom: 'agent' | 'person'; readonly why: string };
  /** Whether making the call twice is as good as making it once. */
  readonly repeatable: boolean;
  /** Whether it changes nothing. */
  readonly isReading: boolean;
}

/**
 * The one rule for every way to call a tool: tasks, scripts, capabilities, plans, and calls by the
 * tool's own name. The policy may be that of one tool, or of all that a capability can reach.
 */
export function admit(
  tool: ToolId,
  { risk, repeatable, ask, denied }: ToolPolicy,
  { approve = 'risky', isReadOnly = false, isListed = false }: AdmittedCall = {},
): Admission {
  const isReading = risk === 'read';
  const nature = { repeatable, isReading };
  if (denied !== undefined) return { ...nature, denied: `${tool} is denied: ${denied}` };
  if (isReadOnly && !isReading) return { ...nature, denied: notReadOnly(tool) };
  const isAsked = ask && (ask.always || (approve !== 'never' && !isListed));
  return isAsked ? { ...nature, ask: { whom: ask.by ?? 'agent', why: ask.why } } : nature;
}

function notReadOnly(tool: ToolId): string {
  return `${tool} may change something and is not reachable from pml_read; use pml_execute_workflow or pml_execute_code. A user who knows that it only reads can name it in "permissions.read"`;
}
