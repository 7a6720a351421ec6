export { type BackupEntry, readManifest } from './backup-manifest.js';
export {
  type Client,
  type ClientFile,
  clientFiles,
  CLIENTS,
  type Machine,
} from './client-files.js';
export { findPml } from './find-pml.js';
export { type ImportedServer, type ImportPlan, planImport } from './plan-import.js';
export { isFromRegistry, type Launch, launchOf, type Program, programOf } from './pml-entry.js';
export type { ReadFile } from './read-client-file.js';
export { readClientFiles } from './read-client-files.js';
export { replaceClientFile } from './replace-client-file.js';
export { restoreClientFile, type RestoreOutcome } from './restore-client-file.js';
export { rewriteClient } from './rewrite-client.js';
export { stablePath } from './stable-path.js';
