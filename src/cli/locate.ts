import { readFileSync } from 'node:fs';

import { defaultDataDir, findConfig, type FoundConfig } from '../app/find-config.js';

export interface Located extends FoundConfig {
  readonly dataDir: string;
}

export interface LocateOptions {
  readonly config?: string | undefined;
  readonly dataDir?: string | undefined;
}

/**
 * Finds configuration and data directory, cheaply: a relay must be up in milliseconds, so the file
 * is read in full only when it says where the data is.
 */
export async function locate({ config, dataDir }: LocateOptions): Promise<Located> {
  const { env } = process;
  if (dataDir !== undefined) env['PML_DATA_DIR'] = dataDir;
  const found = await findConfig({ cwd: process.cwd(), env, explicit: config });
  const isSimple = env['PML_DATA_DIR'] || !readFileSync(found.path, 'utf8').includes('"dataDir"');
  if (isSimple) return { ...found, dataDir: simpleDataDir(found.path) };
  const { loadConfig } = await import('../app/load-config.js');
  return { ...found, dataDir: (await loadConfig(found.path, env)).dataDir };
}

function simpleDataDir(path: string): string {
  return process.env['PML_DATA_DIR'] ?? defaultDataDir(path, process.env);
}
