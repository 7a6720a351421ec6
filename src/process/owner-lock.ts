/**
 * Makes one process the owner of a directory. PGlite has no lock of its own: two processes on one
 * data directory lose each other's rows without any error, and two daemons would fight for a socket.
 *
 * Invariants:
 * - A lock file appears with its content in one step (a hard link), so no process reads half of it.
 * - Only its owner removes it. A dead owner's lock is replaced, never removed, and only by the
 *   holder of a second lock whose name comes from the dead lock's content. A late process finds
 *   other content and starts over, so it cannot mistake a fresh lock for the dead one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { isAbsent, messageOf, PmlError } from '../core/index.js';
import { isOfThisBoot, processIdentity } from './process-identity.js';

interface Owner {
  readonly pid: number;
  readonly started: string;
  readonly host: string;
  /** Makes the content of every lock unique, even for two locks of one process. */
  readonly nonce: string;
}

type Attempt = { readonly kind: 'acquired' } | { readonly kind: 'held'; readonly by: Owner };

/** How often to retry while another process replaces a dead lock, which takes moments. */
const TAKEOVER_TRIES = 200;
const TAKEOVER_WAIT_MS = 10;

/** Rejects with `DATA_DIR_IN_USE` while another process, or another store of this one, is the owner. */
export async function acquireOwnerLock(path: string): Promise<AsyncDisposable> {
  const owner = describeOwner();
  const result = await acquire(path, owner).catch((error: unknown) => {
    throw new PmlError('STORE_FAILED', `Could not lock ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  });
  if (result.kind === 'held') throw inUse(path, result.by);
  return {
    async [Symbol.asyncDispose]() {
      await release(path, owner);
    },
  };
}

/** The owner of a lock, alive or dead. */
export interface LockOwner {
  readonly pid: number;
  readonly isAlive: boolean;
  /** False if the machine has restarted since; true if that is unknown. */
  readonly isOfThisBoot: boolean;
}

/** Undefined without a lock. */
export async function lockOwner(path: string): Promise<LockOwner | undefined> {
  const text = await readIfPresent(path);
  const owner = text === undefined ? undefined : parseOwner(text);
  if (!owner) return undefined;
  const { pid, started } = owner;
  if (isAlive(owner)) return { pid, isAlive: true, isOfThisBoot: true };
  // A process releases the lock before it ends: it may have done both since the lock was read.
  if ((await readIfPresent(path)) !== text) return lockOwner(path);
  return {
    pid,
    isAlive: false,
    isOfThisBoot: !started.includes('/') || isOfThisBoot(started),
  };
}

async function acquire(path: string, self: Owner): Promise<Attempt> {
  for (let tries = 0; tries < TAKEOVER_TRIES; tries += 1) {
    if (await createLock(path, self)) return { kind: 'acquired' };
    const text = await readIfPresent(path);
    if (text === undefined) continue;
    const holder = parseOwner(text);
    if (holder !== undefined && isAlive(holder)) return { kind: 'held', by: holder };
    if (await takeOver(path, text, self)) return { kind: 'acquired' };
    await delay(TAKEOVER_WAIT_MS);
  }
  throw new Error('other processes keep replacing the lock');
}

/** Replaces the dead lock with content `dead`. False if another process does it or did it. */
async function takeOver(path: string, dead: string, self: Owner): Promise<boolean> {
  const guard = `${path}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`;
  const guarding = { ...self, nonce: randomUUID() };
  if ((await acquire(guard, guarding)).kind === 'held') return false;
  try {
    if ((await readIfPresent(path)) !== dead) return false;
    const draft = await writeDraft(path, self);
    await rename(draft, path);
    return true;
  } finally {
    await release(guard, guarding);
  }
}

async function createLock(path: string, owner: Owner): Promise<boolean> {
  const draft = await writeDraft(path, owner);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(path: string, owner: Owner): Promise<string> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
  return draft;
}

async function release(path: string, owner: Owner): Promise<void> {
  const text = await readIfPresent(path);
  if (text !== undefined && parseOwner(text)?.nonce === owner.nonce) await rm(path);
}

function describeOwner(): Owner {
  const started = processIdentity(process.pid) ?? 'unknown';
  return { pid: process.pid, started, host: hostname(), nonce: randomUUID() };
}

/** A process of another machine or container cannot be checked, so it counts as alive. */
function isAlive(owner: Owner): boolean {
  return owner.host !== hostname() || processIdentity(owner.pid) === owner.started;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Undefined for a file without an owner: not written by pml, or emptied by a system crash. */
function parseOwner(text: string): Owner | undefined {
  try {
    const { pid, started, host, nonce } = JSON.parse(text) as Partial<Owner>;
    if (typeof pid !== 'number' || typeof started !== 'string') return undefined;
    if (typeof host !== 'string' || typeof nonce !== 'string') return undefined;
    return { pid, started, host, nonce };
  } catch {
    // Not JSON: same as above.
    return undefined;
  }
}

function inUse(path: string, { pid, host }: Owner): PmlError {
  const elsewhere = host !== hostname();
  const where = elsewhere ? ` on ${host}` : '';
  const advice = elsewhere
    ? `If ${host} no longer runs it, delete the lock file.`
    : 'Stop that process, or use another data directory.';
  return new PmlError(
    'DATA_DIR_IN_USE',
    `Process ${pid}${where} already uses this data directory (lock: ${path}). ${advice}`,
    { details: { pid, host, lock: path } },
  );
}
