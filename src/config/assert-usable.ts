import type { ConfigOrigin } from './find.js';
import { loadConfig, type LoadedConfig } from './load.js';
import { isTrusted, untrusted } from './trust.js';

/** Loads a configuration that may start programs; a project's own file needs the user's trust. */
export async function assertUsable(path: string, origin: ConfigOrigin): Promise<LoadedConfig> {
  const { env } = process;
  const loaded = await loadConfig(path, env);
  if (!isTrusted(loaded, { origin, env })) throw untrusted(loaded.path);
  return loaded;
}
