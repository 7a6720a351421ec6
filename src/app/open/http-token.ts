import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isAbsent, PmlError } from '../../core/index.js';

const FILE = 'http-token';
const TOKEN_BYTES = 32;
const SHORTEST = 16;
const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** What a client over HTTP must know, and where the user finds it. */
export type HttpToken =
  | {
      readonly kind: 'file';
      readonly token: string;
      readonly path: string;
      readonly isNew: boolean;
    }
  | { readonly kind: 'configured'; readonly token: string }
  /** Every program on this machine may come in: the user said so. */
  | { readonly kind: 'none'; readonly token: undefined };

/** The token of the configuration, or one that is made once and kept in the data directory. */
export async function httpToken(
  configured: string | false | undefined,
  dataDir: string,
): Promise<HttpToken> {
  if (configured === false) return { kind: 'none', token: undefined };
  if (configured !== undefined) return { kind: 'configured', token: configured };
  const path = join(dataDir, FILE);
  const known = readToken(path);
  if (known !== undefined && known.length >= SHORTEST) {
    return { kind: 'file', token: known, path, isNew: false };
  }
  // Cut short by a crash: nobody was given it.
  if (known !== undefined) await rm(path);
  return { kind: 'file', token: makeToken(path), path, isNew: true };
}

function readToken(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, O_RDONLY | NO_FOLLOW);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw unusable(path, 'it cannot be read, or is a link', error);
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw unusable(path, 'it is not a plain file');
    if (process.getuid && stats.uid !== process.getuid()) {
      throw unusable(path, 'it belongs to another user');
    }
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw unusable(path, 'others may read or write it');
    }
    return readFileSync(file, 'utf8').trim();
  } finally {
    closeSync(file);
  }
}

function makeToken(path: string): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, 0o600);
  try {
    writeSync(file, `${token}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return token;
}

function unusable(path: string, why: string, cause?: unknown): PmlError {
  return new PmlError(
    'CONFIG_INVALID',
    `The HTTP token in ${path} is not used: ${why}. Delete the file; the next start makes a new token`,
    { cause },
  );
}
