import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from '../core/index.js';
import { isGroupAlive, signalGroup } from './kill-group.js';
import { isOfThisBoot, processIdentity } from './process-identity.js';

/**
 * Remembers on disk which processes we started. After a crash the next start reads the records and
 * ends what is left; pid and identity together make sure that no stranger is hit.
 */
export class ChildRecords {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  add(pid: number, label: string): void {
    const identity = processIdentity(pid);
    if (identity === undefined) return;
    writeFileSync(this.#file(pid), JSON.stringify({ pid, identity, label }), { mode: 0o600 });
  }

  remove(pid: number): void {
    rmSync(this.#file(pid), { force: true });
  }

  /** Ends every recorded process that still lives. Call before the first `add`. */
  reap(log: Logger): number {
    let reaped = 0;
    for (const name of readdirSync(this.#directory)) {
      const file = join(this.#directory, name);
      const record = readRecord(file);
      if (record && isOurGroup(record)) {
        log.warn('ending a server that a crashed daemon left behind', { ...record });
        signalGroup(record.pid, 'SIGKILL');
        reaped++;
      }
      rmSync(file, { force: true });
    }
    return reaped;
  }

  #file(pid: number): string {
    return join(this.#directory, `${pid}.json`);
  }
}

interface ChildRecord {
  readonly pid: number;
  readonly identity: string;
  readonly label: string;
}

/** Recorded processes that are alive; none when nothing was ever recorded there. */
export function livingChildren(directory: string): readonly ChildRecord[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .flatMap((name) => readRecord(join(directory, name)) ?? [])
    .filter(({ pid, identity }) => processIdentity(pid) === identity);
}

/**
 * A group outlives its leader, and no new process gets its number meanwhile. So, within one boot, a
 * living group without a leader is still the one that was recorded.
 */
function isOurGroup({ pid, identity }: ChildRecord): boolean {
  const leader = processIdentity(pid);
  if (leader !== undefined) return leader === identity;
  return isOfThisBoot(identity) && isGroupAlive(pid);
}

function readRecord(file: string): ChildRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const { pid, identity, label } = record;
    if (typeof pid !== 'number' || pid < 2 || typeof identity !== 'string') return undefined;
    return { pid, identity, label: String(label) };
  } catch {
    return undefined; // Cut short by the crash itself: nothing can be learned from it.
  }
}
