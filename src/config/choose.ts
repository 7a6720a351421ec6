import { readFileSync } from 'node:fs';

import { isAbsent, PmlError } from '../core/errors.js';
import { hashText, isOwnFile, readApprovals } from './approvals.js';
import {
  type Environment,
  findConfig,
  type FindConfigOptions,
  type FoundConfig,
  userConfigPath,
} from './find.js';

export interface ChosenConfig extends FoundConfig {
  /** An approved file that cannot be read now. PML ignores all of it, its `dataDir` included. */
  readonly isUnreadable?: boolean;
  /** The file of this directory that is not used, and why. */
  readonly ignored?: { readonly path: string; readonly why: string };
}

type Verdict = 'approved' | 'unreadable' | 'unknown';

const WHY: Readonly<Record<Exclude<Verdict, 'approved'>, string>> = {
  unreadable: 'has mistakes and cannot be used',
  unknown: 'is not approved as it is now',
};

/**
 * The configuration to use, decided before PML touches anything of the current directory. If the
 * user has not approved the project file, or PML cannot read it, PML uses the user's own file.
 * If the user has none, a file that was never approved is `CONFIG_UNTRUSTED`.
 */
export async function chooseConfig(options: FindConfigOptions): Promise<ChosenConfig> {
  const { env } = options;
  const found = findConfig(options);
  if (found.origin !== 'project' || isOwnFile(found.path, env)) return found;
  const verdict = await judge(found.path, env);
  if (verdict === 'approved') return found;
  const own = findOwn(options);
  if (own) return { ...own, ignored: { path: found.path, why: WHY[verdict] } };
  if (verdict === 'unreadable') return { ...found, isUnreadable: true };
  const { untrusted } = await import('./trust.js');
  throw untrusted(found.path);
}

/** The line that tells the user why the file of this directory is not used. */
export function describeIgnored({ path, ignored }: ChosenConfig): string | undefined {
  if (ignored === undefined) return undefined;
  return `${ignored.path} ${ignored.why}, so PML uses ${path}. To use the file of this folder, read it and run \`pml trust\` here.`;
}

/** Most sessions find exactly the approved text, which PML recognizes without checking the file. */
async function judge(path: string, env: Environment): Promise<Verdict> {
  const approval = readApprovals(env).get(path);
  if (!approval) return 'unknown';
  try {
    if (hashText(readFileSync(path, 'utf8')) === approval.text) return 'approved';
    const { loadConfig } = await import('./load.js');
    const { trustHash } = await loadConfig(path, env);
    return trustHash === approval.effect ? 'approved' : 'unknown';
  } catch {
    return 'unreadable'; // Loading the file later reports what is wrong with it.
  }
}

function findOwn({ cwd, env }: FindConfigOptions): FoundConfig | undefined {
  try {
    const path = userConfigPath(env);
    const { path: found } = findConfig({ cwd, env, explicit: path });
    return { path: found, origin: 'user' };
  } catch (error) {
    if (error instanceof PmlError && error.code === 'CONFIG_NOT_FOUND') return undefined;
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
