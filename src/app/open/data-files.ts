import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from '../../core/index.js';
import { FileCapabilityStore, FileCatalog, SyncedFile } from '../../safekeeping/index.js';

/** Whether there is, or was, an embedded store. Its own code would take long to load. */
export function hasStore(dataDir: string): boolean {
  return existsSync(join(dataDir, 'store'));
}

/** Capabilities, beside the store and independent of it. */
export function openKeptCapabilities(dataDir: string, log: Logger): Promise<FileCapabilityStore> {
  return FileCapabilityStore.open(join(dataDir, 'capabilities.log'), log);
}

/** What was learned besides: models of ranking. */
export function learnedFile(dataDir: string): SyncedFile {
  return new SyncedFile(join(dataDir, 'learned.json'), { format: 'pml-learned', version: 1 });
}

/** Which tool definitions are approved. */
export function pinFile(dataDir: string): SyncedFile {
  return new SyncedFile(join(dataDir, 'pins.json'), { format: 'pml-pins', version: 1 });
}

/** The named tokens of our HTTP endpoint, as hashes. */
export function httpTokensFile(dataDir: string): SyncedFile {
  return new SyncedFile(join(dataDir, 'http-tokens.json'), {
    format: 'pml-http-tokens',
    version: 1,
  });
}

/** The lists of servers, which the first answers need before the store is open. */
export function keptCatalog(dataDir: string, log: Logger): FileCatalog {
  return new FileCatalog(join(dataDir, 'catalog'), log);
}

/** Which servers each client used last. */
export function usedServersFile(dataDir: string): SyncedFile {
  return new SyncedFile(join(dataDir, 'used-servers.json'), {
    format: 'pml-used-servers',
    version: 1,
  });
}
