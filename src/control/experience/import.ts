import type { Catalog } from '../../catalog/index.js';
import { type ExecutionTrace, pause, type ToolId } from '../../core/index.js';
import { readTraces, type ReadTraceOptions } from '../../discovery/index.js';
import { keepArgs } from '../../plan/index.js';
import type { Store } from '../../store/index.js';
import type { ControlParams } from '../contract.js';
import type { ImportAnswer } from '../contract/experience.js';
import type { SearchStatus } from '../contract/search.js';
import { COMMAND_LISTING_MS } from '../search/search.js';
import { type SearchingDaemon, statusOf } from '../search/status.js';
import { toolResolver } from './resolve-tool.js';

interface ImportingDaemon extends SearchingDaemon {
  readonly catalog: Catalog;
  /** Hides the secrets of the configuration. */
  mask(text: string): string;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

/** As many as are remembered; of older ones it cannot be said whether they are known. */
const MOST_COMPARED = 20_000;

/** Checks rows of experience (`check`), counts what would be new (`dry-run`), or remembers them. */
export async function importRows(
  daemon: ImportingDaemon,
  { rows, mode }: ControlParams<'import'>,
): Promise<ImportAnswer> {
  const { workflows, catalog } = daemon;
  await workflows.tools.firstListing(COMMAND_LISTING_MS);
  const { store } = await daemon.store();
  const active = catalog.tools().filter(({ status }) => status === 'active');
  const resolve = toolResolver(active.map(({ id }) => id));
  const kept = new Set<ToolId>();
  const { traces, read, problems, unknownTools, skipped } = await readRows(rows, {
    resolve(text) {
      const found = resolve(text);
      if (found.status === 'kept') kept.add(found.id);
      return found.status === 'unknown' ? undefined : found.id;
    },
    keepArgs: (args) => keepArgs(args, (text) => daemon.mask(text)),
  });
  const isCheck = mode === 'check' || problems.length > 0;
  const fresh = () =>
    mode === 'import' ? workflows.tools.discovery.remember(traces) : countFresh(traces, store);
  const added = isCheck ? 0 : await fresh();
  return {
    problems,
    added,
    known: read - added,
    skipped,
    keptTools: [...kept],
    unknownTools: [...unknownTools],
    isStored: store !== undefined,
  };
}

/** Learns from all that is remembered, which takes as long as it takes. */
export async function learnNow(daemon: SearchingDaemon): Promise<SearchStatus> {
  await daemon.workflows.tools.discovery.learn();
  return statusOf(daemon);
}

/** Row by row, to count those that hold no call of a tool we could name. */
async function readRows(
  rows: readonly unknown[],
  options: Pick<ReadTraceOptions, 'resolve' | 'keepArgs'>,
) {
  const now = new Date();
  const traces = new Map<string, ExecutionTrace>();
  const problems: { row: number; problem: string }[] = [];
  const unknownTools = new Set<string>();
  let [read, skipped] = [0, 0];
  for (const [place, row] of rows.entries()) {
    const one = readTraces([row], { ...options, now });
    for (const trace of one.traces) traces.set(trace.id, trace);
    for (const { problem } of one.problems) problems.push({ row: place, problem });
    for (const tool of one.unknownTools) unknownTools.add(tool);
    read += one.traces.length;
    if (one.traces.length === 0 && one.problems.length === 0) skipped++;
    await pause();
  }
  return { traces: [...traces.values()], read, problems, unknownTools, skipped };
}

async function countFresh(
  traces: readonly ExecutionTrace[],
  store: Store | undefined,
): Promise<number> {
  const stored = (await store?.experience.load({ limit: MOST_COMPARED })) ?? [];
  const known = new Set(stored.map(({ id }) => id));
  return traces.filter(({ id }) => !known.has(id)).length;
}
