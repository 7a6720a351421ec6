import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

import { PmlError } from '../core/errors.js';
import { sha256 } from '../core/sha256.js';

/** Longest path the kernel takes for a unix socket, less a little. */
const MAX_PATH_BYTES = 100;

/** Where the daemon of a data directory listens. The same directory always gives the same path. */
export function socketPath(dataDir: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\pml-${shortHash(dataDir)}`;
  const inside = join(dataDir, 'daemon.sock');
  if (Buffer.byteLength(inside) <= MAX_PATH_BYTES) return inside;
  return join(temporaryFolder(), `${shortHash(dataDir)}.sock`);
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 16);
}

/** Creates the folder of the socket, private to its owner. */
export function prepareSocketFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertOwnFolder(path);
  if (folder.startsWith(tmpdir())) chmodSync(folder, 0o700);
}

/**
 * Every user may write to the temporary directory, so another user may have made our folder there
 * to listen to our clients. Relay and daemon check that it is ours before they connect or listen.
 */
export function assertOwnFolder(path: string): void {
  if (process.platform === 'win32' || !path.startsWith(tmpdir())) return;
  if (dirname(path) !== temporaryFolder()) return;
  const folder = dirname(path);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const isOurs = found.isDirectory() && found.uid === userInfo().uid;
  if (isOurs && (found.mode & 0o077) === 0) return;
  throw new PmlError(
    'DAEMON_UNREACHABLE',
    `${folder} must be a directory that belongs to you and that no other user may enter (mode 700), because the daemon listens there. Remove it or correct it, or set a shorter "dataDir".`,
    { details: { folder } },
  );
}

function temporaryFolder(): string {
  return join(tmpdir(), `pml-${userInfo().uid}`);
}
