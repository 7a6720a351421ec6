import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { defaultDataDir, findConfig, type FoundConfig } from '../app/find-config.js';
import { quickDataDir } from './quick-data-dir.js';

export interface Located extends FoundConfig {
  readonly dataDir: string;
}

export interface LocateOptions {
  readonly config?: string | undefined;
  readonly dataDir?: string | undefined;
}

/**
 * Finds configuration and data directory, cheaply: a relay must be up in milliseconds, so the file
 * is checked in full only where nothing less tells where the data is.
 */
export async function locate({ config, dataDir }: LocateOptions): Promise<Located> {
  const { env } = process;
  if (dataDir !== undefined) env['PML_DATA_DIR'] = dataDir;
  const found = await findConfig({ cwd: process.cwd(), env, explicit: config });
  if (env['PML_DATA_DIR']) return { ...found, dataDir: resolve(env['PML_DATA_DIR']) };
  const named = quickDataDir(readFileSync(found.path, 'utf8'), found.path);
  if (named !== 'unclear') {
    return { ...found, dataDir: named.dataDir ?? defaultDataDir(found.path, env) };
  }
  const { loadConfig } = await import('../app/load-config.js');
  return { ...found, dataDir: (await loadConfig(found.path, env)).dataDir };
}
