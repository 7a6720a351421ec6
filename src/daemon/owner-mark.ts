/**
 * A mark in a data directory says that PML made it for this user on this machine. It is keyed with a
 * secret in the home of PML and bound to the path, so a repository cannot ship one.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { PmlError } from '../core/errors.js';
import { readPrivateFile, writeNewPrivate } from './private-file.js';

interface Place {
  readonly dataDir: string;
  readonly home: string;
}

const KEY_BYTES = 32;

export function writeOwnerMark({ dataDir, home }: Place): void {
  const path = markPath(dataDir);
  const mark = markOf(dataDir, readKey(home) ?? makeKey(home));
  rmSync(path, { force: true });
  try {
    writeNewPrivate(path, mark);
  } catch (error) {
    // Another relay that starts at the same moment writes the same mark.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** False when there is none, or when another user or machine made it. */
export function hasMark({ dataDir, home }: Place): boolean {
  const key = readKey(home);
  const found = key && readPrivateFile(markPath(dataDir));
  if (key === undefined || found === undefined) return false;
  const expected = Buffer.from(markOf(dataDir, key));
  const actual = Buffer.from(found.trim());
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function markOf(dataDir: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(dataDir).digest('hex');
}

function markPath(dataDir: string): string {
  return join(dataDir, 'made-by-pml');
}

function keyPath(home: string): string {
  return join(home, 'machine.key');
}

function readKey(home: string): string | undefined {
  const key = readPrivateFile(keyPath(home))?.trim();
  if (key === undefined || /^[0-9a-f]{64}$/.test(key)) return key;
  throw new PmlError(
    'DATA_DIR_REFUSED',
    `${keyPath(home)} is damaged. Remove it, then approve your data directories again with \`pml trust --adopt-data\`.`,
  );
}

/** If two processes create the key at the same moment, both use the first one. */
function makeKey(home: string): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const draft = `${keyPath(home)}.${randomBytes(8).toString('hex')}.tmp`;
  writeNewPrivate(draft, randomBytes(KEY_BYTES).toString('hex'));
  try {
    linkSync(draft, keyPath(home));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(home);
  if (key !== undefined) return key;
  throw new PmlError('DATA_DIR_REFUSED', `${keyPath(home)} was removed while PML made it`);
}
