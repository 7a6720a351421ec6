/** What kills of the daemon at chosen moments have in common, whatever was under way. */
import { setTimeout as delay } from 'node:timers/promises';

import type { RunInfo } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { type Counter, createCounter } from './counter.js';
import { killIfAlive } from './workspace.js';

/** Once so many keys are written, and so many milliseconds later. */
export interface Moment {
  readonly written: number;
  readonly afterMs: number;
}

/** Looks every millisecond: the moments between two calls are short. */
export async function untilMoment(counter: Counter, moment: Moment): Promise<void> {
  const limit = AbortSignal.timeout(20_000);
  const before = counter.written().length;
  while (counter.written().length - before < moment.written && !limit.aborted) await delay(1);
  await delay(moment.afterMs);
}

/** Kills the daemon, and if wanted its servers and what executes its scripts. */
export function strike(
  { workspace }: Counter,
  { killsServers }: { readonly killsServers: boolean },
  pid = workspace.daemonPid(),
): void {
  const others = killsServers ? workspace.processes('server') : [];
  for (const one of [pid, ...others.map((server) => server.pid)]) killIfAlive(one);
}

export async function findRun({ workspace }: Counter, intent: string): Promise<string | undefined> {
  const answer = await askDaemon(workspace.dataDir, 'runs', { limit: 1_000 });
  const runs = (answer?.['runs'] ?? []) as unknown as readonly RunInfo[];
  return runs.find((one) => one.intent === intent)?.run;
}

interface Report {
  readonly faults: readonly string[];
}

/** Plays rounds in workspaces of their own, all at once; faults say in which round they are. */
export async function playEverywhere<
  Round extends { readonly intent: string },
  Told extends Report,
>(
  rounds: readonly (readonly Round[])[],
  play: (counter: Counter, rounds: readonly Round[]) => Promise<readonly Told[]>,
): Promise<readonly Told[]> {
  const all = await Promise.all(
    rounds.map(async (own) => {
      await using counter = await createCounter();
      const reports = await play(counter, own);
      return reports.map((report, at) => ({
        ...report,
        faults: report.faults.map((fault) => `${own[at]?.intent}: ${fault}`),
      }));
    }),
  );
  return all.flat();
}

export type Random = () => number;
export const below = (random: Random, count: number): number => Math.floor(random() * count);
export const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((all, item) => all + of(item), 0);
