import { join, relative } from 'node:path';

import { parseJsonc, readConfigText, writeAtomic } from '../clients/index.js';
import { isJsonObject, PmlError } from '../core/index.js';
import { type ConfigOrigin, type Environment, pmlHome } from './find-config.js';
import type { LoadedConfig } from './load-config.js';

/**
 * A `pml.json` that merely lies in the current directory may come from anyone: a cloned repository
 * must not start programs. It is used only after the user approved exactly what it can do.
 */
export async function isTrusted(
  loaded: LoadedConfig,
  { origin, env }: { origin: ConfigOrigin; env: Environment },
): Promise<boolean> {
  if (origin !== 'project' || isBelow(pmlHome(env), loaded.path)) return true;
  const trusted = await readTrusted(env);
  return trusted.get(loaded.path) === loaded.trustHash;
}

/** Approves the configuration as it is now; a later change of what it can do asks again. */
export async function trust(loaded: LoadedConfig, { env }: { env: Environment }): Promise<void> {
  const trusted = await readTrusted(env);
  trusted.set(loaded.path, loaded.trustHash);
  const text = JSON.stringify(Object.fromEntries(trusted), null, 2);
  await writeAtomic(trustedPath(env), `${text}\n`);
}

/** What to tell the user about a configuration that is not trusted yet. */
export function untrusted(loaded: LoadedConfig): PmlError {
  const servers = [...loaded.servers.keys()];
  return new PmlError(
    'CONFIG_UNTRUSTED',
    `${loaded.path} was found in the current directory and is not trusted. Read it, then run ` +
      `\`pml trust\` there, or name it with --config. Servers: ${servers.join(', ') || 'none'}`,
    { details: { path: loaded.path, servers } },
  );
}

function trustedPath(env: Environment): string {
  return join(pmlHome(env), 'trusted.json');
}

/** A damaged list trusts nothing: asking once more is the safe answer. */
async function readTrusted(env: Environment): Promise<Map<string, string>> {
  const read = await readConfigText(trustedPath(env));
  const value = read ? parseJsonc(read.text).value : {};
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return new Map(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isBelow(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '' && !way.startsWith('..') && way !== path;
}
