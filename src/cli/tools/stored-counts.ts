/**
 * Token counts that an earlier command made, by the hash of what was counted. The tokenizer takes ten
 * times as long to load as a command takes to start, so a command loads it for new texts only.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { tokenCounter } from './count-tokens.js';

const FILE = 'token-counts.json';
/** Definitions change: beyond this many, only those in use are kept. */
const MOST_COUNTS = 20_000;

export interface Countable {
  readonly hash: string;
  /** What the model gets. */
  readonly value: () => unknown;
}

/** The number of tokens by hash; keeps new counts for the next command. */
export async function countTokens(
  dataDir: string,
  things: readonly Countable[],
): Promise<ReadonlyMap<string, number>> {
  const path = join(dataDir, FILE);
  const known = readCounts(path);
  const added = things.filter(({ hash }) => !known.has(hash));
  if (added.length === 0) return known;
  const tokens = await tokenCounter();
  const counts = new Map([
    ...(known.size > MOST_COUNTS ? [] : known),
    ...things.map(({ hash, value }) => [hash, known.get(hash) ?? tokens(value())] as const),
  ]);
  keepCounts(path, counts);
  return counts;
}

function readCounts(path: string): ReadonlyMap<string, number> {
  try {
    const counts = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as object);
    const isCount = (entry: [string, unknown]): entry is [string, number] =>
      Number.isSafeInteger(entry[1]);
    return new Map(counts.filter(isCount));
  } catch {
    return new Map(); // Missing or damaged: everything is counted again.
  }
}

function keepCounts(path: string, counts: ReadonlyMap<string, number>): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(Object.fromEntries(counts)), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // The disk is full or the directory is gone. The counts are right; the next command makes them again.
  }
}
