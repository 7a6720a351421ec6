import { join } from 'node:path';

import { isJsonObject, type JsonValue, type Logger, messageOf } from '../../core/index.js';
import type { KeptSession } from '../../dashboard/index.js';
import { SyncedFile } from '../../safekeeping/index.js';

interface KeptDashboard {
  /** Where it was served last; 0 if it never was. */
  readonly port: number;
  readonly sessions: readonly KeptSession[];
}

/** Which browsers signed in, as hashes, and where: they find the next daemon at the same address. */
export function keptDashboard(dataDir: string): SyncedFile {
  return new SyncedFile(join(dataDir, 'dashboard.json'), { format: 'pml-dashboard', version: 1 });
}

/** Browsers sign in again where the file cannot be relied on. */
export async function readKeptDashboard(
  file: SyncedFile,
  { now, log }: { readonly now: number; readonly log: Logger },
): Promise<KeptDashboard> {
  try {
    return parse(await file.read(), now);
  } catch (error) {
    log.warn('sessions of the dashboard cannot be read', { error: messageOf(error) });
    return { port: 0, sessions: [] };
  }
}

/** Of our own writing: its checksum was right. */
function parse(value: JsonValue | undefined, now: number): KeptDashboard {
  const { port, sessions } = isJsonObject(value) ? value : {};
  const all = Array.isArray(sessions) ? sessions : [];
  return {
    port: typeof port === 'number' ? port : 0,
    sessions: (all as readonly unknown[] as readonly KeptSession[]).filter(
      ({ expiresAt }) => expiresAt > now,
    ),
  };
}
