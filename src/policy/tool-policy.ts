import {
  matchGlobs,
  parseToolId,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolId,
} from '../core/index.js';
import { nameDanger } from './name-danger.js';

export interface ToolPolicy {
  /** `write` for all that neither promises to be harmless nor looks harmful. */
  readonly risk: 'read' | 'write' | 'risky';
  /** Whether calling it twice is as good as calling it once. */
  readonly repeatable: boolean;
  /** `always`: whatever the agent says; the user's own rule wants it. */
  readonly ask?: { readonly always: boolean; readonly why: string };
  /** Why it may not be called at all. */
  readonly denied?: string;
}

export interface PolicyRules {
  readonly permissions: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  /** Tools the user knows to be repeatable without harm. */
  readonly idempotent: readonly string[];
}

/**
 * Compiles the user's rules to one decision per tool: deny wins over ask, ask over allow, and what
 * none of them names is judged by its annotations and its name. A tool the user allows is not risky.
 */
export function createToolPolicy({
  permissions,
  idempotent,
}: PolicyRules): (tool: ToolId, definition: ToolDefinition | undefined) => ToolPolicy {
  const isDenied = matchGlobs(permissions.deny);
  const isAsked = matchGlobs(permissions.ask);
  const isAllowed = matchGlobs(permissions.allow);
  const isIdempotent = matchGlobs(idempotent);
  return (tool, definition) => {
    const nature = judge(tool, definition?.annotations ?? {});
    const { risk, why } = isAllowed(tool) ? trusted(nature) : nature;
    const policy = { risk, repeatable: nature.repeatable || isIdempotent(tool) };
    if (isDenied(tool)) return { ...policy, denied: 'permissions.deny names it' };
    if (isAsked(tool)) return { ...policy, ask: { always: true, why: 'permissions.ask names it' } };
    return why === undefined ? policy : { ...policy, ask: { always: false, why } };
  };
}

interface Nature {
  readonly risk: ToolPolicy['risk'];
  readonly repeatable: boolean;
  /** Why it is risky. */
  readonly why?: string;
}

/** Annotations are hints of a stranger: one that promises harmlessness does not clear `delete_all`. */
function judge(tool: ToolId, hints: ToolAnnotations): Nature {
  const { server, tool: name } = parseToolId(tool);
  const saysReadOnly = hints.readOnlyHint === true;
  const danger = nameDanger(name, server);
  const repeatable = hints.idempotentHint === true;
  if (danger && (danger.leads || !saysReadOnly)) {
    return { risk: 'risky', repeatable, why: `its name says ${danger.verb}` };
  }
  if (saysReadOnly) return { risk: 'read', repeatable: true };
  if (hints.destructiveHint === true) {
    return { risk: 'risky', repeatable, why: 'its server calls it destructive' };
  }
  return { risk: 'write', repeatable };
}

function trusted({ risk, repeatable }: Nature): Nature {
  return { risk: risk === 'risky' ? 'write' : risk, repeatable };
}
