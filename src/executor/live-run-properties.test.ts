import fc from 'fast-check';
import { expect, test } from 'vitest';

import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions, startOf, task } from '../../test/helpers/run-parts.js';
import {
  PmlError,
  type RunEvent,
  type RunState,
  type ServerName,
  type Task,
  type TaskId,
  type TaskState,
  type ToolCaller,
} from '../core/index.js';
import { LiveRun } from './live-run.js';
import type { RunOptions } from './run-options.js';
import { foldEvents } from './run-state.js';

const KINDS = ['read', 'put', 'pay'] as const;
const SERVERS = ['one', 'two', 'three'] as const;
type Nature = 'answers' | 'fails' | 'passes';

interface Scene {
  readonly tasks: readonly Task[];
  readonly natures: ReadonlyMap<string, Nature>;
  readonly concurrency: number;
  readonly perServer: Readonly<Record<string, number>>;
  /** How many turns each call takes, one after the other. */
  readonly turns: readonly number[];
}

const places = fc.integer({ min: 1, max: 6 });

/** Any plan: each task needs some of those before it, reads or writes, on one of three servers. */
const scenes = fc
  .record({
    rows: fc.array(
      fc.record({
        needs: fc.array(fc.nat(59), { maxLength: 3 }),
        kind: fc.constantFrom(...KINDS),
        server: fc.constantFrom(...SERVERS),
        nature: fc.constantFrom<Nature>(
          'answers',
          'answers',
          'answers',
          'answers',
          'fails',
          'passes',
        ),
      }),
      { minLength: 1, maxLength: 60 },
    ),
    concurrency: places,
    perServer: fc.record({ one: places, two: places, three: places }),
    turns: fc.array(fc.nat(3), { minLength: 1, maxLength: 7 }),
  })
  .map(({ rows, ...scene }): Scene => {
    const nameOf = (index: number) => `${rows[index]?.kind}${index}`;
    const tasks = rows.map(({ needs, server }, index) => {
      const all = [...new Set(needs.filter((need) => need < index).map(nameOf))];
      return task(nameOf(index), all, { tool: `${nameOf(index)}@${server}` });
    });
    const natures = new Map(rows.map(({ nature }, index) => [nameOf(index), nature]));
    return { ...scene, tasks, natures };
  });

/** Answers after some turns, fails for good or once, and counts concurrent calls. */
class World implements ToolCaller {
  readonly calls: string[] = [];
  readonly ended = new Set<string>();
  readonly wrong: string[] = [];
  readonly #scene: Scene;
  readonly #open = new Map<string, number>();
  #isGone = false;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The process is gone: no answer reaches a caller. */
  crash(): void {
    this.#isGone = true;
  }

  async call(tool: string): ReturnType<ToolCaller['call']> {
    const [server = '', name = ''] = tool.split(':');
    this.#enter(server, name);
    const { turns, natures } = this.#scene;
    const wait = turns[this.calls.length % turns.length] ?? 0;
    for (let turn = 0; turn < wait; turn++) await nextTurn();
    if (this.#isGone) return new Promise<never>(() => {});
    this.#open.set(server, this.#count(server) - 1);
    const nature = natures.get(name);
    const isFirst = this.calls.filter((one) => one === name).length === 1;
    if (nature === 'fails') throw new PmlError('SERVER_BROKEN', 'no');
    if (nature === 'passes' && isFirst) throw new PmlError('SERVER_CRASHED', 'not now');
    this.ended.add(name);
    return { content: [{ type: 'text', text: name }] };
  }

  #count(server: string): number {
    return this.#open.get(server) ?? 0;
  }

  #enter(server: string, name: string): void {
    const { tasks, perServer, concurrency } = this.#scene;
    this.calls.push(name);
    this.#open.set(server, this.#count(server) + 1);
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    if (all > concurrency) this.wrong.push(`${name} is one too many`);
    if (this.#count(server) > (perServer[server] ?? 0))
      this.wrong.push(`${name}: ${server} is full`);
    const needs = tasks.find(({ id }) => id === name)?.needs ?? [];
    if (!needs.every((need) => this.ended.has(need))) this.wrong.push(`${name} is too early`);
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function optionsOf({ concurrency, perServer }: Scene): RunOptions {
  const serverConcurrency = (server: ServerName) => perServer[server] ?? 1;
  return { ...plainOptions, concurrency, serverConcurrency, retryDelayMs: 0 };
}

async function runToEnd(scene: Scene, log = new MemoryRunLog()) {
  const world = new World(scene);
  const live = LiveRun.begin(startOf(scene.tasks), { tools: world, log }, optionsOf(scene));
  live.start();
  await live.idle();
  return { live, world, log };
}

/** Whether everything it needs, directly or not, can succeed. */
function canRun(id: TaskId, scene: Scene): boolean {
  const needs = scene.tasks.find((one) => one.id === id)?.needs ?? [];
  return needs.every((need) => canSucceed(need, scene));
}

/** A write that fails, for whatever reason, is not repeated. */
function canSucceed(id: TaskId, scene: Scene): boolean {
  const nature = scene.natures.get(id);
  const works = nature === 'answers' || (nature === 'passes' && !id.startsWith('pay'));
  return works && canRun(id, scene);
}

// covers: RUN-PARALLEL
test('a run calls every runnable task once, unless it is retried, and never before its dependencies ended', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const { live, world } = await runToEnd(scene);

      expect(world.wrong).toEqual([]);
      expect(live.phase).toBe('finished');
      for (const { id } of scene.tasks) {
        const isAgain = scene.natures.get(id) === 'passes' && !id.startsWith('pay');
        const times = world.calls.filter((one) => one === id).length;
        expect([id, times]).toEqual([id, canRun(id, scene) ? (isAgain ? 2 : 1) : 0]);
        const status = live.state.tasks.find((one) => one.task.id === id)?.status;
        expect(status === 'completed').toBe(canSucceed(id, scene));
      }
    }),
    { numRuns: 60 },
  );
});

test('replaying any prefix of the journal gives the state the run had at that moment', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const log = new MemoryRunLog();
      const world = new World(scene);
      const live = LiveRun.begin(startOf(scene.tasks), { tools: world, log }, optionsOf(scene));
      const states: [events: number, state: RunState][] = [];
      const watching = (async () => {
        for await (const _ of live.watch()) states.push([live.events.length, live.state]);
      })();
      live.start();
      await live.idle();
      await watching;

      expect(log.writes.flat()).toEqual(live.events);
      for (const [length, state] of states) {
        expect(foldEvents(live.events.slice(0, length))).toEqual(state);
      }
    }),
    { numRuns: 25 },
  );
});

// covers: RUN-DURABLE, RUN-IN-DOUBT
test('a run cut off after any event ends, repeats no finished call, and asks about the rest', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, fc.nat(1_000), async (scene, at) => {
      const { world: before, log } = await runToEnd(scene);
      const whole = log.writes.flat();
      const known = whole.slice(0, 1 + (at % whole.length));

      const { live, world } = await takenUp(scene, known, before);

      const calls = world.calls.slice(callsIn(known).length);
      expect(problemsOf(known, calls, live)).toEqual([]);
    }),
    { numRuns: 80 },
  );
});

// covers: RUN-DURABLE, RUN-IN-DOUBT
test('a process that dies at any moment has made no call that is missing from its journal', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, fc.nat(12), fc.nat(2), async (scene, turns, slowness) => {
      const log = new MemoryRunLog();
      log.gate = async () => {
        for (let turn = 0; turn < slowness; turn++) await nextTurn();
      };
      const world = new World(scene);
      const live = LiveRun.begin(startOf(scene.tasks), { tools: world, log }, optionsOf(scene));
      live.start();
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      log.crash();
      world.crash();
      const calls = [...world.calls];
      const known = log.writes.flat();

      const started = callsIn(known);
      const unknown = calls.filter((name) => !started.includes(name));
      expect(unknown.filter((name) => !name.startsWith('read'))).toEqual([]);
      // A run whose start is not in the journal is lost.
      if (known.length === 0) return;
      const next = await takenUp(scene, known, world);
      const later = next.world.calls.slice(started.length);
      expect(problemsOf(known, later, next.live)).toEqual([]);
      expect(twice([...calls, ...later]).filter((name) => name.startsWith('pay'))).toEqual([]);
    }),
    { numRuns: 80 },
  );
});

/** The next process: it knows the journal; the world knows which calls were made and answered. */
async function takenUp(scene: Scene, known: readonly RunEvent[], before: World) {
  const world = new World(scene);
  world.calls.push(...callsIn(known));
  for (const name of before.ended) if (succeededIn(known).has(name)) world.ended.add(name);
  const tools: ToolCaller = { call: (tool) => world.call(tool) };
  const log = new MemoryRunLog();
  const live = LiveRun.resume(known, { tools, log }, optionsOf(scene));
  live.start();
  await live.idle();
  expect(world.wrong).toEqual([]);
  expect(foldEvents([...known, ...log.writes.flat()])).toEqual(live.state);
  return { live, world };
}

/** What a resumed run did although it must not. */
function problemsOf(
  known: readonly RunEvent[],
  calls: readonly string[],
  { state, phase }: LiveRun,
): string[] {
  const before = foldEvents(known).tasks;
  const over = before.filter(({ status }) => status === 'completed' || status === 'failed');
  const cutOff = before.filter((one) => one.status === 'running' && !one.repeatable).map(idOf);
  const doubtful = state.tasks.filter(({ status }) => status === 'in_doubt').map(idOf);
  const [asked, unsure] = [doubtful.join(), cutOff.join()];
  const wanted = doubtful.length > 0 ? 'paused' : 'finished';
  return [
    ...(phase === wanted ? [] : [`it is ${phase}, not ${wanted}`]),
    ...(asked === unsure ? [] : [`asks about ${asked}, cut off were ${unsure}`]),
    ...[...over.map(idOf), ...cutOff].filter((id) => calls.includes(id)).map((id) => `${id} again`),
  ];
}

const idOf = ({ task: { id } }: TaskState): string => id;

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function callsIn(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'task-started' ? [event.task as string] : []));
}

function succeededIn(events: readonly RunEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => (event.type === 'task-completed' ? [event.task as string] : [])),
  );
}
