/**
 * Row counts of the last clean checkpoint, kept beside the data directory. PGlite opens a truncated
 * table without complaint; fewer rows than recorded in a table that only grows give it away.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

import type { Kysely } from 'kysely';

import { APPEND_ONLY_TABLES, type Tables } from '../schema.js';
import { codeOf, storeCorrupt } from '../store-errors.js';
import { countRows, type RowCounts } from '../tables/row-counts.js';
import type { StorePaths } from './store-paths.js';

/** Rejects with `STORE_CORRUPT` when rows are missing, otherwise returns today's counts. */
export async function verifyCounts(db: Kysely<Tables>, paths: StorePaths): Promise<RowCounts> {
  const counts = await countRows(db, APPEND_ONLY_TABLES);
  const recorded = await readRecorded(paths.counts);
  for (const table of APPEND_ONLY_TABLES) {
    const [had, has] = [recorded[table] ?? 0, counts[table] ?? 0];
    if (has >= had) continue;
    throw storeCorrupt(`Table ${table} has ${has} rows, ${had} were recorded: rows are missing`, {
      directory: paths.cluster,
    });
  }
  return counts;
}

export async function recordCounts({ counts: path }: StorePaths, counts: RowCounts): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, JSON.stringify(counts), { mode: 0o600 });
  await rename(draft, path);
}

async function readRecorded(path: string): Promise<RowCounts> {
  try {
    const recorded: unknown = JSON.parse(await readFile(path, 'utf8'));
    return recorded as RowCounts;
  } catch (error) {
    // Never recorded, or cut off by a crash of the machine: then no comparison is possible.
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
}
