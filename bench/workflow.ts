import { execFileSync } from 'node:child_process';
/**
 * What a durable workflow costs: over a real server against the same calls made directly and one
 * after the other, and the engine with its journal alone against the same calls without either.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import {
  type RunLog,
  runId,
  silentLogger,
  type Task,
  taskId,
  type ToolId,
} from '../src/core/index.js';
import { LiveRun, type RunOptions } from '../src/executor/index.js';
import { openFileRunLog } from '../src/journal/index.js';
import { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const SERVER = [process.execPath, join(ROOT, 'test/fixtures/counter-server.mjs')];
const REPEATS = 7;

interface Step {
  readonly id: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly needs?: readonly string[];
}

const append = (id: string, needs?: readonly string[]): Step => ({
  id,
  tool: 'append',
  args: { key: id },
  ...(needs && { needs }),
});
const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

/** The shapes that must run well; `append` writes to a file, so nothing of it may be repeated. */
const SHAPES: Readonly<Record<string, readonly Step[]>> = {
  'diamond of 4': [append('a'), append('b', ['a']), append('c', ['a']), append('d', ['b', 'c'])],
  'chain of 50': many(50).map((id, index) =>
    append(id, index === 0 ? undefined : [`t${index - 1}`]),
  ),
  'fan-out and fan-in of 100': [
    append('first'),
    ...many(100).map((id) => append(id, ['first'])),
    append('last', many(100)),
  ],
};
const WAITS = many(12).map((id): Step => ({ id, tool: 'slow', args: { ms: 200 } }));

export async function run(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  try {
    return createReport('workflow', [
      ...(await overServers(folder)),
      ...(await engineAlone(folder)),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function overServers(folder: string): Promise<readonly Row[]> {
  const env = { ...process.env, LEDGER: join(folder, 'ledger') };
  const config = join(folder, 'pml.json');
  const [command, ...args] = SERVER;
  const counter = { command, args, env: { LEDGER: env.LEDGER } };
  writeFileSync(config, JSON.stringify({ dataDir: './data', mcpServers: { counter } }));
  await using direct = new LineClient(SERVER, env);
  await using pml = new LineClient([process.execPath, CLI, 'serve', '--config', config]);
  try {
    await direct.initialize();
    await pml.initialize();
    await workflow(pml, [append('warm')]);
    const rows = [await waiting(pml)];
    for (const [name, steps] of Object.entries(SHAPES)) {
      rows.push(...(await compared(name, steps, { direct, pml })));
    }
    return rows;
  } finally {
    execFileSync(process.execPath, [CLI, 'stop', '--config', config], { stdio: 'ignore' });
  }
}

async function waiting(pml: LineClient): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < REPEATS; round++) times.push(await timed(() => workflow(pml, WAITS)));
  return {
    name: '12 independent calls of 200 ms, against the slowest of them',
    value: median(times),
    unit: 'ms',
    ratio: median(times) / 200,
    n: REPEATS,
  };
}

/** Alternating: the same calls as one workflow, and directly, each when the one before is back. */
async function compared(
  name: string,
  steps: readonly Step[],
  { direct, pml }: { direct: LineClient; pml: LineClient },
): Promise<readonly Row[]> {
  const alone: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < REPEATS; round++) {
    alone.push(await timed(() => oneByOne(direct, steps)));
    whole.push(await timed(() => workflow(pml, steps)));
  }
  const base = median(alone);
  const extra = whole.map((ms, index) => (ms - (alone[index] ?? 0)) / steps.length);
  return [
    { name: `${name}, called directly one by one`, value: base, unit: 'ms', n: REPEATS },
    {
      name: `${name}, as a workflow`,
      value: median(whole),
      unit: 'ms',
      ratio: median(whole) / base,
      n: REPEATS,
    },
    { name: `${name}, more per task`, value: median(extra), unit: 'ms', n: REPEATS },
  ];
}

async function workflow(pml: LineClient, steps: readonly Step[]): Promise<void> {
  const tasks = steps.map((step) => ({ ...step, tool: `counter:${step.tool}` }));
  const answer = await pml.request('tools/call', {
    name: 'pml_execute_workflow',
    arguments: { tasks },
  });
  if (answer['isError']) throw new Error(JSON.stringify(answer).slice(0, 500));
}

async function oneByOne(direct: LineClient, steps: readonly Step[]): Promise<void> {
  for (const { tool, args } of steps) {
    await direct.request('tools/call', { name: tool, arguments: args });
  }
}

const ENGINE_TASKS = 200;
const ENGINE_RUNS = 4;

const OPTIONS: RunOptions = {
  concurrency: 16,
  serverConcurrency: () => 64,
  policyOf: () => ({ risk: 'write', repeatable: false }),
  checkArgs: () => undefined,
  checkResult: () => undefined,
  retries: 0,
  retryDelayMs: 1,
  isTransient: () => false,
  now: () => Date.now(),
  isDurable: true,
};

const FORGETFUL: Pick<RunLog, 'append'> = { append: async () => {} };
const TOOLS = { call: async () => ({ content: [{ type: 'text', text: 'ok' }] }) };

/** Tools that answer at once: what is left is the engine and its journal. */
async function engineAlone(folder: string): Promise<readonly Row[]> {
  await using log = await openFileRunLog({ directory: join(folder, 'journal'), log: silentLogger });
  const shapes = { 'independent tasks': independent(), 'a chain': chain() };
  const rows: Row[] = [];
  for (const [name, tasks] of Object.entries(shapes)) {
    const bare: number[] = [];
    const durable: number[] = [];
    for (let round = 0; round < REPEATS; round++) {
      bare.push(await timed(() => runAll(tasks, FORGETFUL)));
      durable.push(await timed(() => runAll(tasks, log)));
    }
    const all = ENGINE_TASKS * ENGINE_RUNS;
    const perTask = (times: readonly number[]) => median(times) / all;
    rows.push(
      {
        name: `engine alone, ${name}: per task without a journal`,
        value: perTask(bare),
        unit: 'ms',
        n: REPEATS,
      },
      {
        name: `engine alone, ${name}: per task, journal synced`,
        value: perTask(durable),
        unit: 'ms',
        ratio: median(durable) / median(bare),
        n: REPEATS,
      },
      {
        name: `engine alone, ${name}: tasks a second, journal synced`,
        value: (all / median(durable)) * 1_000,
        unit: '/s',
        n: REPEATS,
      },
    );
  }
  return rows;
}

async function runAll(tasks: readonly Task[], log: Pick<RunLog, 'append'>): Promise<void> {
  const runs = Array.from({ length: ENGINE_RUNS }, async () => {
    const run = runId(`run_${Math.random().toString(36).slice(2)}`);
    const live = LiveRun.begin(
      { type: 'run-started', run, at: Date.now(), tasks, approve: 'never', context: {} },
      { tools: TOOLS, log },
      OPTIONS,
    );
    live.start();
    await live.idle();
    if (live.state.finished?.outcome !== 'completed') throw new Error(`${run} did not succeed`);
  });
  await Promise.all(runs);
}

function aTask(index: number, needs: readonly string[]): Task {
  return {
    id: taskId(`t${index}`),
    tool: 'fake:write' as ToolId,
    args: { key: `t${index}` },
    needs: needs.map(taskId),
  };
}

const independent = () => Array.from({ length: ENGINE_TASKS }, (_, index) => aTask(index, []));
const chain = () =>
  Array.from({ length: ENGINE_TASKS }, (_, index) =>
    aTask(index, index === 0 ? [] : [`t${index - 1}`]),
  );

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
