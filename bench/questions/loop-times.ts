/** Times of the feedback loop of a run, against the targets of the design. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import {
  type RunEvent,
  type RunLog,
  runId,
  silentLogger,
  type Task,
  taskId,
  type ToolId,
} from '../../src/core/index.js';
import { foldEvents, LiveRun, type RunOptions } from '../../src/executor/index.js';
import {
  computeMetrics,
  graphOf,
  KnowledgeGraph,
  NeighbourIndex,
  strongestPath,
  waysOf,
} from '../../src/graph/index.js';
import { openFileRunLog } from '../../src/journal/index.js';
import { failingStore } from '../data/failing-store.js';
import { median, quantile, type Row } from '../report.js';

const TASKS = 100;
const ROUNDS = 40;

const OPTIONS: RunOptions = {
  concurrency: 16,
  serverConcurrency: () => 64,
  policyOf: () => ({ risk: 'read', repeatable: true }),
  checkArgs: () => undefined,
  checkResult: () => undefined,
  retries: 0,
  retryDelayMs: 1,
  isTransient: () => false,
  now: () => Date.now(),
  isDurable: true,
};
const TOOLS = { call: async () => ({ content: [{ type: 'text', text: 'ok' }] }) };

export async function loopTimes(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pml-loop-'));
  try {
    await using log = await openFileRunLog({ directory: join(folder, 'j'), log: silentLogger });
    return [...(await runTimes(log)), ...graphTimes()];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTimes(log: Pick<RunLog, 'append'>): Promise<readonly Row[]> {
  const events: number[] = [];
  const folds: number[] = [];
  const saves: number[] = [];
  const commands: number[] = [];
  const loops: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const whole = begin(chainOf(TASKS), log, 'never');
    const began = performance.now();
    whole.start();
    await whole.idle();
    events.push((performance.now() - began) / whole.events.length);
    folds.push(foldTime(whole.events));
    saves.push(await timed(() => log.append(whole.state.run, [whole.events[0]!])));
    const paused = begin([aTask(0, []), aTask(1, ['t0'])], log, 'per_layer');
    paused.start();
    await paused.idle();
    const decided = performance.now();
    const tasks = [aTask(2, ['t1'])];
    await paused.decide({ kind: 'replan', requirement: 'one more', tasks }, 'agent');
    commands.push(performance.now() - decided);
    await paused.decide({ kind: 'approve', tasks: [taskId('t1')] }, 'human');
    await paused.idle();
    loops.push(performance.now() - decided);
  }
  return [
    ...timeRows('event: a task of a chain, journal synced, per event', events, 5),
    ...timeRows('state: one event folded', folds, 1),
    ...timeRows('checkpoint: one event on disk', saves, 50),
    ...timeRows('command: from the decision until it is applied and on disk', commands, 10),
    ...timeRows('loop: replan, approve, run the next layer, pause again', loops, 300),
  ];
}

/** Against the targets of the suggestion engine. */
function graphTimes(): readonly Row[] {
  const { traces } = failingStore({ topics: 200, requestsEach: 8, seed: 4 });
  const delta = graphOf(traces);
  const synced: number[] = [];
  const ranked: number[] = [];
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const graph = new KnowledgeGraph();
    let began = performance.now();
    graph.apply(delta);
    synced.push(performance.now() - began);
    began = performance.now();
    computeMetrics(graph);
    ranked.push(performance.now() - began);
    const index = new NeighbourIndex(waysOf(graph, ['sequence', 'provides']));
    const ends = traces.find(({ calls }) => calls.length > 2)!.calls;
    began = performance.now();
    strongestPath(index, new Map([[ends[0]!.tool, 0]]), ends.at(-1)!.tool);
    found.push(performance.now() - began);
  }
  return [
    ...timeRows('graph: loaded from its counts', synced, 50),
    ...timeRows('graph: PageRank, communities and density', ranked, 100),
    ...timeRows('graph: one path', found, 1),
  ];
}

function timeRows(name: string, times: readonly number[], targetMs: number): readonly Row[] {
  const row = { unit: 'ms', n: times.length };
  return [
    { ...row, name: `${name}, median`, value: median(times), ratio: median(times) / targetMs },
    { ...row, name: `${name}, P95`, value: quantile(times, 0.95) },
    { name: `${name}, target`, value: targetMs, unit: 'ms' },
  ];
}

function foldTime(events: readonly RunEvent[]): number {
  const began = performance.now();
  foldEvents(events);
  return (performance.now() - began) / events.length;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

let runs = 0;

function begin(
  tasks: readonly Task[],
  log: Pick<RunLog, 'append'>,
  approve: 'never' | 'per_layer',
): LiveRun {
  const run = runId(`run_loop_${runs++}`);
  return LiveRun.begin(
    { type: 'run-started', run, at: Date.now(), tasks, approve, context: {} },
    { tools: TOOLS, log },
    OPTIONS,
  );
}

function aTask(index: number, needs: readonly string[]): Task {
  const id = taskId(`t${index}`);
  return { id, tool: 'fake:read' as ToolId, args: { key: id }, needs: needs.map(taskId) };
}

function chainOf(count: number): readonly Task[] {
  return Array.from({ length: count }, (_, index) =>
    aTask(index, index === 0 ? [] : [`t${index - 1}`]),
  );
}
