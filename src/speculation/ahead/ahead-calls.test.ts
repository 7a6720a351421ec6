import { beforeEach, describe, expect, test } from 'vitest';

import {
  type JsonObject,
  maskForms,
  serverName,
  silentLogger,
  type SpeculationSettings,
  THE_USER,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import { AheadJournal } from './activity.js';
import { AheadCalls, type SentAhead } from './ahead-calls.js';
import type { AheadTool } from './guard.js';
import { ServerTraffic } from './server-traffic.js';

const READ = 'notes:get_note' as ToolId;
const NOTES = serverName('notes');
const RESULT: ToolResult = { content: [{ type: 'text', text: 'note' }] };
const SETTINGS: SpeculationSettings = {
  mode: 'on',
  warmServers: 2,
  ttlMs: 30_000,
  allow: [],
  deny: [],
  concurrency: 1,
  callsPerMinute: 30,
  msPerMinute: 20_000,
  bytesPerMinute: 4_000_000,
  cost: {},
  moneyPerPlan: 0.1,
  planMs: 5_000,
  target: 0.85,
  waste: 0.1,
};

const client = (session = 's'): Caller => ({
  session,
  principal: THE_USER,
  user: session,
  era: 'legacy',
  info: { name: 'test' },
  capabilities: { elicitation: {} },
  ask: () => Promise.resolve({}),
  tell: () => {},
});

class World {
  now = 0;
  settings = SETTINGS;
  tool: AheadTool = {
    status: 'active',
    hash: 'h1',
    annotations: { readOnlyHint: true, openWorldHint: false },
    admission: { isReading: true },
    isolation: 'shared',
    isRunning: true,
    instance: {},
  };
  readonly sent: (SentAhead & { readonly answer: (result: ToolResult) => void })[] = [];
  readonly timers: { readonly at: number; readonly work: () => void }[] = [];
  readonly traffic = new ServerTraffic(() => this.now);
  readonly journal = new AheadJournal(silentLogger);
  readonly ahead = new AheadCalls({
    settings: () => this.settings,
    traffic: this.traffic,
    journal: this.journal,
    log: silentLogger,
    toolOf: () => this.tool,
    mask: maskForms,
    now: () => this.now,
    newId: () => `id${this.sent.length}`,
    later: (ms, work) => {
      const timer = { at: this.now + ms, work };
      this.timers.push(timer);
      return () => void this.timers.splice(this.timers.indexOf(timer), 1);
    },
    send: async (call) => {
      call.check();
      return new Promise<ToolResult>((answer, reject) => {
        call.signal.addEventListener('abort', () => reject(new Error('aborted')));
        this.sent.push({ ...call, answer });
      });
    },
  });

  request(args: JsonObject = { id: 1 }, session = 's') {
    return this.ahead.request({
      caller: client(session),
      tool: READ,
      args,
      plan: { money: 0, ms: 0 },
    });
  }

  take(args: JsonObject = { id: 1 }, session = 's') {
    const { signal } = new AbortController();
    return this.ahead.take(client(session), READ, { args, signal });
  }

  /** A client's call on the server, from its beginning to its end. */
  clientCall(isSure = true, { server = NOTES, mayWrite = false } = {}): void {
    this.traffic.began(server, { mayWrite });
    this.ahead.touched(server, { mayWrite });
    this.traffic.ended(server, { isSure, mayWrite });
  }

  async answered(result: ToolResult = RESULT): Promise<void> {
    this.sent.at(-1)?.answer(result);
    await new Promise((resolve) => setImmediate(resolve));
  }

  passes(ms: number): void {
    this.now += ms;
    for (const timer of this.timers.filter(({ at }) => at <= this.now)) {
      this.timers.splice(this.timers.indexOf(timer), 1);
      timer.work();
    }
  }

  get fates() {
    return this.journal.activity;
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('AheadCalls', () => {
  test('a kept result is served once, for the identical call whatever the order of its keys', async () => {
    world.request({ id: 1, part: 'all' });
    world.now = 40;
    await world.answered();
    world.now = 100;

    expect(world.take({ part: 'all', id: 1 }).taken).toEqual({ result: RESULT, ageMs: 100 });
    expect(world.take({ part: 'all', id: 1 })).toEqual({ isForeseen: false });
    expect(world.fates).toMatchObject({ sent: 1, served: 1, savedMs: 40 });
  });

  test('other arguments and another session get nothing', async () => {
    world.request();
    await world.answered();

    expect(world.take({ id: 2 }).taken).toBeUndefined();
    expect(world.take({ id: 1 }, 'other').taken).toBeUndefined();
  });

  // covers: AHEAD-DROPPED
  test.each<[string, (world: World) => void]>([
    ['a client called its server', (w) => w.clientCall()],
    ['its server said that something changed', (w) => w.traffic.changed(NOTES)],
    ['its definition changed', (w) => (w.tool = { ...w.tool, hash: 'h2' })],
    ['its server was started again', (w) => (w.tool = { ...w.tool, instance: {} })],
    [
      'a rule denies it',
      (w) => (w.tool = { ...w.tool, admission: { isReading: true, denied: '' } }),
    ],
    ['its time to live is over', (w) => (w.now += 30_001)],
    ['speculation was switched off', (w) => (w.settings = { ...SETTINGS, mode: 'suggest' })],
  ])('a kept result is not served after %s', async (_why, happen) => {
    world.request();
    await world.answered();

    happen(world);

    expect(world.take().taken).toBeUndefined();
    expect(world.fates.served).toBe(0);
  });

  test('nothing is called ahead while a call of a client is under way on the server', async () => {
    world.traffic.began(NOTES, { mayWrite: false });
    world.request();
    expect(world.sent).toHaveLength(0);

    world.traffic.ended(NOTES, { isSure: true, mayWrite: false });
    world.ahead.pump(NOTES);

    expect(world.sent).toHaveLength(1);
  });

  test('a call that ended without an answer may still write: nothing is kept for ten minutes', () => {
    world.clientCall(false);
    world.request();
    expect(world.sent).toHaveLength(0);

    world.passes(600_000);
    world.request();

    expect(world.sent).toHaveLength(1);
  });

  test('a call of a client cancels what is under way on its server', () => {
    world.request();

    world.clientCall();

    expect(world.sent[0]?.signal.aborted).toBe(true);
    expect(world.fates).toMatchObject({ stale: 1 });
  });

  test('the identical call joins what is under way, and no other client cancels it then', async () => {
    world.request();
    world.now = 30;

    const { taken } = world.take();
    world.clientCall();
    await world.answered();

    expect(await taken).toMatchObject({ result: RESULT });
    expect(world.fates).toMatchObject({ served: 1, savedMs: 30 });
  });

  test('a joined call whose speculation fails is made by the client itself', async () => {
    world.request();
    const { taken } = world.take();
    await world.answered({ ...RESULT, isError: true });

    expect(await taken).toBeUndefined();
    expect(world.fates).toMatchObject({ failed: 1, served: 0 });
  });

  test('what its session no longer needs is cancelled, and what is kept stays', async () => {
    world.request({ id: 1 });
    await world.answered();
    world.request({ id: 2 });

    world.ahead.turnedElsewhere('s');

    expect(world.sent[1]?.signal.aborted).toBe(true);
    expect(world.take({ id: 1 }).taken).toMatchObject({ result: RESULT });
  });

  test('everything of a session that leaves is dropped', async () => {
    world.request();
    world.ahead.left('s');

    expect(world.ahead.size).toBe(0);
    expect(world.sent[0]?.signal.aborted).toBe(true);
  });

  // covers: AHEAD-ALONE
  test('a server that asks gets no answer, and its tool is never called ahead again', async () => {
    world.request();
    const [call] = world.sent;
    const { signal } = new AbortController();

    await expect(call?.caller.ask('elicitation/create', {}, signal)).rejects.toThrow('by itself');
    await world.answered();

    expect(call?.caller.capabilities).toEqual({});
    expect(world.take().taken).toBeUndefined();
    expect(world.request()).toBeUndefined();
  });

  test('at most so many calls as the concurrency allows are under way on a server', async () => {
    world.request({ id: 1 });
    world.request({ id: 2 });
    expect(world.sent).toHaveLength(1);

    await world.answered();
    world.passes(0);

    expect(world.sent).toHaveLength(2);
  });

  test('a definition that changes right before the call leaves stops the call', async () => {
    world.request();
    const before = world.sent.length;
    world.tool = { ...world.tool, admission: { isReading: false } };

    expect(() => world.sent[0]?.check()).toThrow('not called ahead');
    expect(world.request({ id: 2 })).toBeUndefined();
    expect(world.sent).toHaveLength(before);
  });

  test('a spent budget makes no call until the next minute', async () => {
    world.settings = { ...SETTINGS, callsPerMinute: 1 };
    world.now = 1_000_000;
    world.request({ id: 1 });
    await world.answered();

    expect(world.request({ id: 2 })).toBeUndefined();
    world.passes(60_000);
    expect(world.request({ id: 2 })).toBeDefined();
  });

  test('a result that nobody asks for is dropped when its time to live is over', async () => {
    world.request();
    await world.answered();

    world.passes(30_000);

    expect(world.ahead.size).toBe(0);
    expect(world.fates).toMatchObject({ unused: 1 });
  });

  test('a call that may write drops what was fetched from every server, one that reads only its own', async () => {
    const other = serverName('files');
    const world = new World();
    world.request();
    await world.answered();
    world.clientCall(true, { server: other });
    expect(world.take().taken).toBeDefined();

    world.request();
    await world.answered();
    world.clientCall(true, { server: other, mayWrite: true });

    expect(world.take().taken).toBeUndefined();
  });

  test('nothing leaves ahead while a call that may write is under way anywhere', () => {
    const other = serverName('files');
    const world = new World();
    world.traffic.began(other, { mayWrite: true });
    world.request();
    expect(world.sent).toHaveLength(0);

    world.traffic.ended(other, { isSure: true, mayWrite: true });
    world.ahead.pumpAll();

    expect(world.sent).toHaveLength(1);
  });
});
