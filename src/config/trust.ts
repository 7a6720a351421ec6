import { PmlError } from '../core/index.js';
import { approvalsPath, isOwnFile, readApprovals } from './approvals.js';
import type { ConfigOrigin, Environment } from './find.js';
import type { LoadedConfig } from './load.js';
import { writeAtomic } from './text/write-atomic.js';

/**
 * A `pml.json` that merely lies in the current directory may come from a stranger: a cloned repository
 * must not start programs. It is used only after the user approved exactly what it can do.
 */
export function isTrusted(
  loaded: LoadedConfig,
  { origin, env }: { origin: ConfigOrigin; env: Environment },
): boolean {
  if (origin !== 'project' || isOwnFile(loaded.path, env)) return true;
  return readApprovals(env).get(loaded.path)?.effect === loaded.trustHash;
}

/** Approves the configuration as it is now; a later change of what it can do asks again. */
export async function trust(loaded: LoadedConfig, { env }: { env: Environment }): Promise<void> {
  const approvals = new Map(readApprovals(env));
  approvals.set(loaded.path, { text: loaded.hash, effect: loaded.trustHash });
  const text = JSON.stringify(Object.fromEntries(approvals), null, 2);
  await writeAtomic(approvalsPath(env), `${text}\n`);
}

/** What to tell the user about a configuration that is not trusted yet. */
export function untrusted(path: string): PmlError {
  return new PmlError(
    'CONFIG_UNTRUSTED',
    `${path} was found in the current directory and you have not approved it as it is now, so PML does not use it. Read it, then run \`pml trust\` there, or name it with --config.`,
    { details: { path } },
  );
}
