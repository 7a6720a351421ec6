import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';

import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type ServerName,
  type ServerSpec,
} from '../core/index.js';
import { type Environment, userConfigPath } from './find.js';
import type { ServerEntry } from './server-entry.js';

export interface SpecContext {
  readonly configPath: string;
  readonly env: Environment;
  /** The entry as written, without variables replaced. */
  readonly raw: JsonObject;
  /** What the entry took from the environment, by variable. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Turns a checked entry into what the servers module starts. */
export function toServerSpec(
  name: ServerName,
  entry: ServerEntry,
  context: SpecContext,
): ServerSpec {
  const common = {
    name,
    toolsAllow: entry.tools?.allow,
    toolsDeny: entry.tools?.deny ?? [],
    timeoutMs: entry.timeoutMs,
    maxConcurrency: entry.maxConcurrency,
    isolation: entry.isolation,
    start: entry.start,
    variables: context.variables,
    configHash: hashEntry(context.raw),
  };
  if ('url' in entry) {
    const kind = entry.type === 'sse' ? 'sse' : 'http';
    return { kind, url: entry.url, headers: entry.headers, oauth: entry.oauth, ...common };
  }
  const cwd = workingDirectory(entry.cwd, context);
  const command = resolveCommand(entry.command, cwd ?? dirname(context.configPath));
  return { kind: 'stdio', command, args: entry.args, env: entry.env, cwd, ...common };
}

/** `~/x` is below the home directory; anything else is relative to the configuration file. */
export function resolvePath(
  path: string,
  { configPath, env }: Pick<SpecContext, 'configPath' | 'env'>,
): string {
  const home = env['HOME'] || env['USERPROFILE'];
  if (home && /^~[\\/]/.test(path)) return resolve(home, path.slice(2));
  return resolve(dirname(configPath), path);
}

/** Identifies what a server is. Secrets stay out: of `env` only the names count. */
function hashEntry(raw: JsonObject): string {
  const env = Object.keys((raw['env'] ?? {}) as JsonObject).toSorted();
  const what: JsonValue = {
    command: raw['command'] ?? null,
    args: raw['args'] ?? [],
    env,
    url: raw['url'] ?? null,
  };
  return createHash('sha256').update(canonicalJson(what)).digest('hex');
}

/**
 * A project's servers run in the project, as its clients run them; the user's in the home directory.
 * Never where the daemon runs: that is the data directory, with keys and the journal in it.
 */
function workingDirectory(cwd: string | undefined, context: SpecContext): string | undefined {
  if (cwd !== undefined) return resolvePath(cwd, context);
  const { configPath, env } = context;
  if (configPath !== userConfigPath(env)) return dirname(configPath);
  return env['HOME'] || env['USERPROFILE'] || homedir();
}

/** The daemon may run anywhere, so `./server.js` must not depend on its directory. */
function resolveCommand(command: string, base: string): string {
  return /^\.{1,2}[\\/]/.test(command) ? resolve(base, command) : command;
}
