import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** PGlite's memory never shrinks again, and what goes between its thread and ours is copied. */
const PART_BYTES = 500_000;

/**
 * A text compressed and cut, ready for the database. Half a surrogate pair becomes U+FFFD, as
 * everywhere in the store; every other character comes back, and none changes its place.
 */
export async function toParts(text: string): Promise<readonly Uint8Array[]> {
  const bytes = await compress(text, { level: constants.Z_BEST_SPEED });
  const count = Math.ceil(bytes.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) =>
    bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  );
}

export async function fromParts(parts: readonly Uint8Array[]): Promise<string> {
  return (await expand(Buffer.concat(parts))).toString('utf8');
}
