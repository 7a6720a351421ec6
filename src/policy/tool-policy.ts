import {
  matchGlobs,
  parseToolId,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolId,
} from '../core/index.js';
import { nameDanger } from './name-danger.js';
import { nameWrites } from './name-writes.js';

export interface ToolPolicy {
  /** `write` for all that neither promises to be harmless nor looks harmful. */
  readonly risk: 'read' | 'write' | 'risky';
  /** Whether calling it twice is as good as calling it once. */
  readonly repeatable: boolean;
  readonly ask?: PolicyAsk;
  /** Why it may not be called at all. */
  readonly denied?: string;
}

export interface PolicyAsk {
  /** Whatever the agent says; the user's own rule wants it. */
  readonly always: boolean;
  readonly why: string;
  /** Set when no agent may answer. */
  readonly by?: 'person';
}

/** A glob of `server:tool`, or one whose calls only a person may approve. */
export type AskRule = string | { readonly tool: string; readonly by: 'person' };

export interface ProfileRules {
  readonly name: string;
  /** Names of the servers that it has. */
  readonly servers: ReadonlySet<string>;
  /** Whether only tools that change nothing may be called. */
  readonly readOnly: boolean;
}

export interface PolicyRules {
  readonly permissions: {
    readonly allow: readonly string[];
    readonly ask: readonly AskRule[];
    readonly deny: readonly string[];
    /** Tools the user knows to change nothing. */
    readonly read?: readonly string[];
    /** The profile that these rules are for; tools outside of it are denied. */
    readonly profile?: ProfileRules;
  };
  /** Tools the user knows to be repeatable without harm. */
  readonly idempotent: readonly string[];
}

/** `stated`: annotations that the user gave the tool; unlike those of its server they are believed. */
export type JudgeTool = (
  tool: ToolId,
  definition: ToolDefinition | undefined,
  stated?: ToolAnnotations,
) => ToolPolicy;

/**
 * Compiles the user's rules to one decision per tool: deny wins over ask, ask over allow and read, and
 * what none of them names is judged by its annotations and its name. A tool the user allows is not risky.
 */
export function createToolPolicy({ permissions, idempotent }: PolicyRules): JudgeTool {
  const isDenied = matchGlobs(permissions.deny);
  const asks = compileAsks(permissions.ask);
  const isAllowed = matchGlobs(permissions.allow);
  const isRead = matchGlobs(permissions.read ?? []);
  const isIdempotent = matchGlobs(idempotent);
  return (tool, definition, stated = {}) => {
    const judged = state(judge(tool, definition?.annotations ?? {}), stated);
    const nature = isRead(tool) ? READING : judged;
    const { risk, why } = isAllowed(tool) ? trusted(nature) : nature;
    const policy = { risk, repeatable: nature.repeatable || isIdempotent(tool) };
    if (isDenied(tool)) return { ...policy, denied: 'permissions.deny names it' };
    const outside = outsideOf(permissions.profile, tool, risk);
    if (outside !== undefined) return { ...policy, denied: outside };
    const ask = asks(tool) ?? (why === undefined ? undefined : { always: false, why });
    return ask ? { ...policy, ask } : policy;
  };
}

/** Why a profile does not have a tool. */
function outsideOf(
  profile: ProfileRules | undefined,
  tool: ToolId,
  risk: ToolPolicy['risk'],
): string | undefined {
  if (!profile) return undefined;
  const { name, servers, readOnly } = profile;
  if (!servers.has(parseToolId(tool).server)) return `profile ${name} does not have its server`;
  return readOnly && risk !== 'read' ? `profile ${name} only reads` : undefined;
}

/** Of two rules that name a tool, the one that wants a person wins. */
function compileAsks(rules: readonly AskRule[]): (tool: ToolId) => PolicyAsk | undefined {
  const wantsPerson = matchGlobs(rules.flatMap((rule) => (isGlob(rule) ? [] : [rule.tool])));
  const isAsked = matchGlobs(rules.filter(isGlob));
  return (tool) => {
    if (wantsPerson(tool)) {
      return { always: true, why: 'permissions.ask wants a person to approve it', by: 'person' };
    }
    return isAsked(tool) ? { always: true, why: 'permissions.ask names it' } : undefined;
  };
}

function isGlob(rule: AskRule): rule is string {
  return typeof rule === 'string';
}

interface Nature {
  readonly risk: ToolPolicy['risk'];
  readonly repeatable: boolean;
  /** Why it is risky. */
  readonly why?: string;
}

const READING: Nature = { risk: 'read', repeatable: true };

/**
 * Annotations are hints of a stranger. A promise to only read counts for a tool whose name says nothing
 * else: it clears neither `delete_all` nor `write_file`, `issue_delete` or `execute_sql`.
 */
function judge(tool: ToolId, hints: ToolAnnotations): Nature {
  const { server, tool: name } = parseToolId(tool);
  const repeatable = hints.idempotentHint === true;
  if (hints.readOnlyHint === true && nameWrites(name, server) === undefined) return READING;
  const danger = nameDanger(name, server);
  if (danger !== undefined) return { risk: 'risky', repeatable, why: `its name says ${danger}` };
  if (hints.destructiveHint === true) {
    return { risk: 'risky', repeatable, why: 'its server calls it destructive' };
  }
  return { risk: 'write', repeatable };
}

/** What the user says of a tool decides, whatever its server and its name say. */
function state(nature: Nature, stated: ToolAnnotations): Nature {
  const repeatable = stated.idempotentHint ?? nature.repeatable;
  if (stated.destructiveHint === true && stated.readOnlyHint !== true) {
    return { risk: 'risky', repeatable, why: '"tools.override" calls it destructive' };
  }
  if (stated.readOnlyHint === true) return READING;
  const isReading = nature.risk === 'read' && stated.readOnlyHint === undefined;
  if (isReading) return { ...nature, repeatable };
  if (nature.risk === 'risky' && stated.destructiveHint !== false) return { ...nature, repeatable };
  // A promise to only read made it repeatable, and the user takes that back.
  const isRepeatable = nature.risk === 'read' ? stated.idempotentHint === true : repeatable;
  return { risk: 'write', repeatable: isRepeatable };
}

function trusted({ risk, repeatable }: Nature): Nature {
  return { risk: risk === 'risky' ? 'write' : risk, repeatable };
}
