import type { RunInfo } from '../../../src/control/contract/runs.js';

/** Listed runs with what the live stream knows of them, newest first. */
export function mergeRuns(
  listed: readonly RunInfo[],
  live: readonly RunInfo[],
): readonly RunInfo[] {
  const byId = new Map(listed.map((run) => [run.run, run]));
  for (const run of live) byId.set(run.run, run);
  return [...byId.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

export function searchRuns(
  runs: readonly RunInfo[],
  { text, status }: { readonly text: string; readonly status: string | undefined },
): readonly RunInfo[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (status && run.status !== status) return false;
    const own = `${run.intent ?? ''} ${run.run}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
}
