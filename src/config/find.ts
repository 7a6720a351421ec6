import { lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { isAbsent, PmlError } from '../core/errors.js';
import { sha256 } from '../core/sha256.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a configuration was found. Only `project` was not named by the user, so it needs trust. */
export type ConfigOrigin = 'flag' | 'env' | 'project' | 'user';

export interface FoundConfig {
  /** Absolute. */
  readonly path: string;
  readonly origin: ConfigOrigin;
}

export interface FindConfigOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Value of `--config`. */
  readonly explicit?: string | undefined;
}

const FILE_NAME = 'pml.json';

/** Where PML keeps what belongs to the user: `PML_HOME`, else `~/.pml`. */
export function pmlHome(env: Environment): string {
  if (env['PML_HOME']) return resolve(env['PML_HOME']);
  return join(env['HOME'] || env['USERPROFILE'] || homedir(), '.pml');
}

export function userConfigPath(env: Environment): string {
  return join(pmlHome(env), FILE_NAME);
}

export function projectConfigPath(cwd: string): string {
  return resolve(cwd, FILE_NAME);
}

/**
 * Data directory of a configuration that sets none. Never beside the file: a repository could bring
 * one along, with runs and capabilities of a stranger in it.
 */
export function defaultDataDir(configPath: string, env: Environment): string {
  if (configPath === userConfigPath(env)) return pmlHome(env);
  const name = sha256(configPath).slice(0, 16);
  return join(pmlHome(env), 'projects', name);
}

/**
 * The configuration to use: `--config`, `PML_CONFIG`, `pml.json` here, then the user's. The first one
 * that is named or exists decides; `CONFIG_NOT_FOUND` if it is missing or there is none.
 */
export function findConfig({ cwd, env, explicit }: FindConfigOptions): FoundConfig {
  const named = explicit ?? (env['PML_CONFIG'] || undefined);
  if (named !== undefined) {
    const origin = explicit === undefined ? 'env' : 'flag';
    const found = { path: resolve(cwd, named), origin } as const;
    if (exists(found.path)) return found;
    const source = origin === 'env' ? 'PML_CONFIG' : '--config';
    throw notFound(`${found.path} does not exist; ${source} names it`, [found.path]);
  }
  const user = userConfigPath(env);
  const project = projectConfigPath(cwd);
  if (project !== user && isThere(project)) return { path: project, origin: 'project' };
  if (exists(user)) return { path: user, origin: 'user' };
  throw notFound(`No configuration in ${project} or ${user}; run \`pml init\` to create one`, [
    project,
    user,
  ]);
}

/** Whatever stands there, a link that leads nowhere included: a project may hold anything. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isAbsent(error);
  }
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function notFound(message: string, looked: readonly string[]): PmlError {
  return new PmlError('CONFIG_NOT_FOUND', message, { details: { looked } });
}
