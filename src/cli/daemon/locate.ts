import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { type ChosenConfig, chooseConfig, describeIgnored } from '../../config/choose.js';
import { defaultDataDir, pmlHome } from '../../config/find.js';
import type { DataDir } from '../../daemon/index.js';
import { quickDataDir } from './quick-data-dir.js';

export interface Located extends ChosenConfig, DataDir {}

export interface LocateOptions {
  readonly config?: string | undefined;
  readonly dataDir?: string | undefined;
}

/** What was said already: a command may look more than once. */
const said = new Set<string>();

/**
 * Finds configuration and data directory, cheaply: a relay must be up in milliseconds, so the file
 * is checked in full only where nothing less tells where the data is. Trust comes first: a file that
 * the user has not approved decides nothing.
 */
export async function locate({ config, dataDir }: LocateOptions): Promise<Located> {
  const { env } = process;
  if (dataDir !== undefined) env['PML_DATA_DIR'] = dataDir;
  const chosen = await chooseConfig({ cwd: process.cwd(), env, explicit: config });
  sayOnce(describeIgnored(chosen));
  const home = pmlHome(env);
  const named = env['PML_DATA_DIR'];
  if (named) return { ...chosen, dataDir: resolve(named), home, isNamed: true };
  return { ...chosen, dataDir: await dataDirOf(chosen), home, isNamed: false };
}

async function dataDirOf({ path, isUnreadable }: ChosenConfig): Promise<string> {
  const { env } = process;
  if (isUnreadable) return defaultDataDir(path, env);
  const quick = quickDataDir(readFileSync(path, 'utf8'), path);
  if (quick !== 'unclear') return quick.dataDir ?? defaultDataDir(path, env);
  const { loadConfig } = await import('../../config/load.js');
  return (await loadConfig(path, env)).dataDir;
}

function sayOnce(line: string | undefined): void {
  if (line === undefined || said.has(line)) return;
  said.add(line);
  process.stderr.write(`pml: ${line}\n`);
}
