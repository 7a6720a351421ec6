import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Longest path the kernel takes for a unix socket, less a little. */
const MAX_PATH_BYTES = 100;

/** Where the daemon of a data directory listens. The same directory always gives the same place. */
export function socketPath(dataDir: string): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\pml-${hash}`;
  const inside = join(dataDir, 'daemon.sock');
  if (Buffer.byteLength(inside) <= MAX_PATH_BYTES) return inside;
  return join(tmpdir(), `pml-${userInfo().uid}`, `${hash}.sock`);
}

/** Makes the folder of the socket, for its owner alone. */
export function prepareSocketFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = join(path, '..');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (folder.startsWith(tmpdir())) chmodSync(folder, 0o700);
}
