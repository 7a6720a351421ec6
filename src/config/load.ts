import { resolve } from 'node:path';

import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PmlError,
  type ServerName,
  type ServerSpec,
  type ToolOverrides,
} from '../core/index.js';
import { sha256 } from '../core/sha256.js';
import { ConfigFile } from './config.js';
import { describeMissing, expandVariables } from './expand.js';
import { defaultDataDir, type Environment } from './find.js';
import { configInvalid, type ConfigPath, ConfigProblems } from './problems.js';
import { checkServers } from './servers.js';
import { resolvePath, toServerSpec } from './spec.js';
import { parseJsonc } from './text/parse-jsonc.js';
import { readConfigText } from './text/read-text.js';
import { checkOverrides, overrideVariables, toOverrides } from './tool-overrides.js';

/** A configuration that was read, checked and resolved. Holds secrets: never log it whole. */
export interface LoadedConfig {
  /** Absolute. */
  readonly path: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Variables replaced, defaults filled in; without the servers in `broken`. */
  readonly file: ConfigFile;
  readonly servers: ReadonlyMap<ServerName, ServerSpec>;
  /** Servers that cannot be used because of the environment, and why. */
  readonly broken: ReadonlyMap<ServerName, string>;
  readonly disabled: readonly ServerName[];
  /** `tools.override` with its variables replaced; `file` has it as written. */
  readonly overrides: ToolOverrides;
  /** Hash of the file's text. */
  readonly hash: string;
  /** All that the file can change, as written: no variable is replaced. */
  readonly trustable: JsonObject;
  /** Hash of `trustable`. */
  readonly trustHash: string;
}

/** Settings outside the servers that may refer to the environment. */
const EXPANDED_PATHS: readonly ConfigPath[] = [
  ['http', 'token'],
  ['database'],
  ['signInKey'],
  ['dataDir'],
];

/** The only harmless keys. A change of any other key, also of a future one, needs new trust. */
const HARMLESS_KEYS: ReadonlySet<string> = new Set(['$schema', 'logLevel']);

/** Rejects with `CONFIG_NOT_FOUND`, or with one `CONFIG_INVALID` that lists every problem. */
export async function loadConfig(path: string, env: Environment): Promise<LoadedConfig> {
  const absolute = resolve(path);
  const read = await readConfigText(absolute);
  if (!read) {
    throw new PmlError('CONFIG_NOT_FOUND', `${absolute} does not exist`, {
      details: { looked: [absolute] },
    });
  }
  return parseConfig(read.text, { path: absolute, env });
}

/** The pure part of `loadConfig`. */
export function parseConfig(
  text: string,
  { path, env }: { path: string; env: Environment },
): LoadedConfig {
  const { root, value, problems: faults } = parseJsonc(text);
  if (!root || !isJsonObject(value)) throw configInvalid(path, faults);

  const problems = new ConfigProblems(text, root);
  const { mcpServers, ...rest } = value;
  const checked = checkServers(mcpServers, { env, problems });
  const settings = ConfigFile.safeParse(expandSettings(rest, env, problems));
  for (const issue of settings.error?.issues ?? []) {
    problems.addIssue(issue, { base: [], raw: rest, schema: ConfigFile });
  }
  checkOverrides(rest['tools'], problems);
  const unknown = settings.data && unknownProfile(settings.data, settings.data.profile);
  if (unknown !== undefined) problems.add(['profile'], unknown);
  const all = [...faults, ...problems.list];
  if (all.length > 0 || !settings.success) throw configInvalid(path, all);

  const overrides = toOverrides(settings.data.tools.override, env);
  const servers = new Map<ServerName, ServerSpec>();
  for (const [name, entry] of checked.entries) {
    if (!entry.enabled) continue;
    const raw = checked.raw.get(name) ?? {};
    // What PML passes to a server by a fixed parameter is a secret of that server like any other.
    const variables = { ...overrideVariables(overrides, name), ...checked.variables.get(name) };
    servers.set(name, toServerSpec(name, entry, { configPath: path, env, raw, variables }));
  }
  const names = [...checked.entries.keys()];
  const trustable = Object.fromEntries(
    Object.entries(value).filter(([key]) => !HARMLESS_KEYS.has(key)),
  );
  return {
    path,
    dataDir: dataDirOf(settings.data.dataDir, { path, env }),
    file: { ...settings.data, mcpServers: Object.fromEntries(checked.entries) },
    servers,
    broken: checked.broken,
    disabled: names.filter((name) => !servers.has(name)),
    overrides,
    hash: sha256(text),
    trustable,
    trustHash: sha256(canonicalJson(trustable)),
  };
}

/** Why a client cannot use a profile of this name; undefined if it can. */
export function profileFault(
  { path, file }: Pick<LoadedConfig, 'path' | 'file'>,
  name: string,
): string | undefined {
  const unknown = unknownProfile(file, name);
  return unknown && `${path}: ${unknown}`;
}

function unknownProfile(
  { profiles }: Pick<ConfigFile, 'profiles'>,
  name: string | undefined,
): string | undefined {
  if (name === undefined || Object.hasOwn(profiles, name)) return undefined;
  const known = Object.keys(profiles).toSorted();
  const there = known.length > 0 ? `there are ${known.join(', ')}` : '"profiles" has none';
  return `no profile "${name}"; ${there}`;
}

function dataDirOf(
  configured: string | undefined,
  { path, env }: { path: string; env: Environment },
): string {
  if (env['PML_DATA_DIR']) return resolve(env['PML_DATA_DIR']);
  if (configured !== undefined) return resolvePath(configured, { configPath: path, env });
  return defaultDataDir(path, env);
}

function expandSettings(value: JsonObject, env: Environment, problems: ConfigProblems): JsonObject {
  return EXPANDED_PATHS.reduce<JsonObject>((settings, path) => {
    const [key = '', inner] = path as readonly string[];
    const holder = settings[key];
    const parent = isJsonObject(holder) ? holder : {};
    const raw = inner === undefined ? holder : parent[inner];
    if (typeof raw !== 'string') return settings;
    const { value: text, missing } = expandVariables(raw, env);
    if (missing.length > 0) problems.add(path, describeMissing(missing));
    const fallback: JsonValue = missing.length > 0 ? (PLACEHOLDER[key] ?? text) : text;
    const changed = inner === undefined ? fallback : { ...parent, [inner]: fallback };
    return { ...settings, [key]: changed };
  }, value);
}

/** Replaces a value whose variable is missing, so that only the missing variable is reported. */
const PLACEHOLDER: Readonly<Record<string, string>> = {
  http: 'x'.repeat(16),
  database: 'embedded',
  signInKey: 'x'.repeat(32),
};
