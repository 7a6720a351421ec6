import type * as z from 'zod';

import {
  closestWord,
  isJsonObject,
  isServerName,
  type JsonObject,
  type JsonValue,
  type ServerName,
} from '../core/index.js';
import { describeMissing, type Expanded, expandVariables, hasReference } from './expand.js';
import type { Environment } from './find.js';
import { describeIssue, kindOf } from './issue.js';
import type { ConfigProblems } from './problems.js';
import { RemoteServer, type ServerEntry, StdioServer } from './server-entry.js';

/** The only fields whose strings may refer to the environment. */
const EXPANDED_KEYS = new Set(['command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth']);

export interface CheckedServers {
  /** As a user may start them: variables replaced, defaults filled in. Disabled ones included. */
  readonly entries: ReadonlyMap<ServerName, ServerEntry>;
  /** The same entries as written. */
  readonly raw: ReadonlyMap<ServerName, JsonObject>;
  /** What each of `entries` took from the environment, by variable. */
  readonly variables: ReadonlyMap<ServerName, Variables>;
  /** Servers the environment makes unusable, and why. */
  readonly broken: ReadonlyMap<ServerName, string>;
}

type Variables = Expanded['variables'];

type CheckedEntry =
  | { readonly status: 'ok'; readonly entry: ServerEntry; readonly variables: Variables }
  | { readonly status: 'broken'; readonly reason: string }
  | { readonly status: 'invalid' };

/** Checks every server by itself, so that what one lacks in the environment stops only that one. */
export function checkServers(
  value: JsonValue | undefined,
  { env, problems }: { env: Environment; problems: ConfigProblems },
): CheckedServers {
  const entries = new Map<ServerName, ServerEntry>();
  const raw = new Map<ServerName, JsonObject>();
  const variables = new Map<ServerName, Variables>();
  const broken = new Map<ServerName, string>();
  if (value !== undefined && !isJsonObject(value)) {
    problems.add(['mcpServers'], `expected an object of servers, got ${kindOf(value)}`);
    return { entries, raw, variables, broken };
  }
  for (const [name, entry] of Object.entries(value ?? {})) {
    const checked = checkServer(name, entry, { env, problems });
    if (checked.status === 'invalid' || !isServerName(name) || !isJsonObject(entry)) continue;
    raw.set(name, entry);
    if (checked.status === 'ok') {
      entries.set(name, checked.entry);
      variables.set(name, checked.variables);
    } else broken.set(name, checked.reason);
  }
  return { entries, raw, variables, broken };
}

function checkServer(
  name: string,
  raw: JsonValue,
  { env, problems }: { env: Environment; problems: ConfigProblems },
): CheckedEntry {
  const base = ['mcpServers', name];
  if (!isServerName(name)) {
    problems.addAtKey(
      base,
      'not a server name; use letters, digits, ".", "_" or "-", at most 64 characters, no "__"',
    );
    return { status: 'invalid' };
  }
  if (!isJsonObject(raw)) {
    problems.add(base, `expected an object with "command" or "url", got ${kindOf(raw)}`);
    return { status: 'invalid' };
  }
  const schema = schemaOf(raw);
  if (typeof schema === 'string') {
    problems.add(base, schema);
    return { status: 'invalid' };
  }
  const { entry: expanded, missing, variables } = expandEntry(raw, env);
  const parsed = schema.safeParse(expanded);
  const issues = parsed.error?.issues ?? [];
  const ours = issues.filter((issue) => !fromEnvironment(issue, raw));
  for (const issue of ours) problems.addIssue(issue, { base, raw, schema });
  if (ours.length > 0) return { status: 'invalid' };
  const reason = missing.length > 0 ? describeMissing(missing) : describeExpanded(issues[0]);
  if (reason !== undefined && raw['enabled'] !== false) return { status: 'broken', reason };
  // A parsed edge: where only variables are wrong and the server is off, the entry stays as written.
  const entry = parsed.data ?? (raw as unknown as ServerEntry);
  return { status: 'ok', entry, variables };
}

/** What is wrong with an entry by itself, before any variable is looked at; undefined if nothing. */
export function checkServerEntry(raw: JsonObject): string | undefined {
  const schema = schemaOf(raw);
  if (typeof schema === 'string') return schema;
  const issue = schema.safeParse(raw).error?.issues.find((found) => !fromEnvironment(found, raw));
  if (!issue) return undefined;
  const { path, message } = describeIssue(issue, raw);
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

function schemaOf(raw: JsonObject): typeof StdioServer | typeof RemoteServer | string {
  const isStdio = Object.hasOwn(raw, 'command');
  const isRemote = Object.hasOwn(raw, 'url');
  if (isStdio && isRemote) return 'has both "command" and "url"; keep the one that is meant';
  if (isStdio) return StdioServer;
  if (isRemote) return RemoteServer;
  const typo = Object.keys(raw).find((key) => closestWord(key, ['command', 'url']) !== undefined);
  const hint = typo === undefined ? '' : ` (is "${typo}" a typing error?)`;
  const remote = Object.hasOwn(raw, 'serverUrl') ? ' (write "url" instead of "serverUrl")' : hint;
  return `has neither "command" (a program to start) nor "url" (a server to reach)${remote}`;
}

function expandEntry(raw: JsonObject, env: Environment) {
  const missing = new Set<string>();
  const variables = new Map<string, string>();
  const entry = Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      if (!EXPANDED_KEYS.has(key)) return [key, value];
      const expanded = expandVariables(value, env);
      for (const name of expanded.missing) missing.add(name);
      for (const [name, held] of Object.entries(expanded.variables)) variables.set(name, held);
      return [key, expanded.value];
    }),
  );
  // Sorted, so that the same entry with its keys in another order is the same server.
  const sorted = [...variables].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { entry, missing: [...missing], variables: Object.fromEntries(sorted) };
}

/** A value that refers to the environment is judged by what the environment holds, not by the file. */
function fromEnvironment(issue: z.core.$ZodIssue, raw: JsonObject): boolean {
  const [key] = issue.path;
  return issue.path.length === 1 && hasReference(raw[String(key)]);
}

function describeExpanded(issue: z.core.$ZodIssue | undefined): string | undefined {
  if (!issue) return undefined;
  const { path, message } = describeIssue(issue, {});
  return `${path.join('.')}, once its variables are replaced, is not valid: ${message.replace(/^missing; /, '')}`;
}
