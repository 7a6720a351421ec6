import { type Kysely, sql } from 'kysely';

import {
  type GraphDelta,
  type GraphOf,
  PmlError,
  type RebuildOptions,
} from '../../../core/index.js';
import type { Tables } from '../../schema.js';
import { toTrace, type TraceRow } from '../experience-rows.js';
import { newestPages } from '../read-newest.js';
import { selectTraces } from '../select-traces.js';
import { GraphSum } from './graph-sum.js';

const PAGE_ROWS = 200;
const PAGE_IDS = 10_000;

/**
 * What all executions tell, each counted once, although some may be added while they are read.
 * Executions are never changed, so those that are missing are those with other ids. If some are
 * forgotten meanwhile, `check` says so.
 */
export class ExecutionSum {
  readonly #graphOf: GraphOf;
  readonly #options: RebuildOptions;
  readonly #sum = new GraphSum();
  readonly #counted = new Set<string>();

  constructor(graphOf: GraphOf, options: RebuildOptions) {
    this.#graphOf = graphOf;
    this.#options = options;
  }

  /** How many were counted. */
  get executions(): number {
    return this.#counted.size;
  }

  get total(): GraphDelta {
    return this.#sum.total;
  }

  /** Each page by itself: others have their turn in between. */
  async addAll(db: Kysely<Tables>): Promise<void> {
    for await (const page of newestPages(db, Infinity, selectTraces)) this.#add(page);
    await this.addMissing(db);
  }

  /** Those that came after the pages they belong to were read. */
  async addMissing(view: Kysely<Tables>): Promise<void> {
    if ((await countTraces(view)) === this.executions) return;
    const missing = await this.#missingIds(view);
    for (let start = 0; start < missing.length; start += PAGE_ROWS) {
      const ids = missing.slice(start, start + PAGE_ROWS);
      this.#add(await selectTraces(view, sql`id = any(${ids}::text[])`, ids.length));
    }
  }

  /** Nothing may be added any more. */
  async check(view: Kysely<Tables>): Promise<void> {
    const stored = await countTraces(view);
    if (stored === this.executions) return;
    throw new PmlError(
      'STORE_FAILED',
      `Of ${stored} stored executions ${this.executions} were read. The graph is as it was; try again.`,
    );
  }

  #add(page: readonly TraceRow[]): void {
    const { signal, onProgress } = this.#options;
    signal?.throwIfAborted();
    this.#sum.add(this.#graphOf(page.map(toTrace)));
    for (const { id } of page) this.#counted.add(id);
    onProgress?.(this.executions);
  }

  async #missingIds(view: Kysely<Tables>): Promise<readonly string[]> {
    const missing: string[] = [];
    let last: string | undefined;
    for (;;) {
      const later = last === undefined ? sql`true` : sql`id > ${last}::text`;
      const { rows } = await sql<{ id: string }>`
        select id from execution_trace where ${later} order by id limit ${PAGE_IDS}`.execute(view);
      for (const { id } of rows) if (!this.#counted.has(id)) missing.push(id);
      if (rows.length < PAGE_IDS) return missing;
      last = rows.at(-1)?.id;
    }
  }
}

async function countTraces(view: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from execution_trace`.execute(view);
  return rows[0]?.count ?? 0;
}
