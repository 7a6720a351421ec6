import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isAbsent, PmlError } from '../../core/index.js';
import { writeNewPrivate } from '../../daemon/index.js';

const FILE = 'http-token';
const TOKEN_BYTES = 32;
const SHORTEST = 16;
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
  /** The user allowed every program on this machine to connect. */
  | { readonly kind: 'none'; readonly token: undefined };

/** The configured token, or one that PML creates once and keeps in the data directory. */
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
  // A crash cut the file short, so no client has this token.
  if (known !== undefined) await rm(path);
  return { kind: 'file', token: makeToken(path), path, isNew: true };
}

function readToken(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | NO_FOLLOW);
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
  writeNewPrivate(path, `${token}\n`);
  return token;
}

function unusable(path: string, why: string, cause?: unknown): PmlError {
  return new PmlError(
    'CONFIG_INVALID',
    `The HTTP token in ${path} is not used: ${why}. Delete the file; the next start makes a new token`,
    { cause },
  );
}
