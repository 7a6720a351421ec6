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

  /** A client call on the server, from beginning to end. */
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
  test('kept result is served once, for the identical call whatever the order of its keys', async () => {
    world.request({ id: 1, part: 'all' });
    world.now = 40;
    await world.answered();
    world.now = 100;

    expect(world.take({ part: 'all', id: 1 }).taken).toEqual({ result: RESULT, ageMs: 100 });
    expect(world.take({ part: 'all', id: 1 })).toEqual({ isForeseen: false });
    expect(world.fates).toMatchObject({ sent: 1, served: 1, savedMs: 40 });
  });

  test('kept result is not served to other arguments or another session', async () => {
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
  ])('kept result is not served after %s', async (_why, happen) => {
    world.request();
    await world.answered();

    happen(world);

    expect(world.take().taken).toBeUndefined();
    expect(world.fates.served).toBe(0);
  });

  test('AheadCalls calls nothing ahead while a client call is pending on the server', async () => {
    world.traffic.began(NOTES, { mayWrite: false });
    world.request();
    expect(world.sent).toHaveLength(0);

    world.traffic.ended(NOTES, { isSure: true, mayWrite: false });
    world.ahead.pump(NOTES);

    expect(world.sent).toHaveLength(1);
  });

  test('call that ended without a response may still write, so AheadCalls stops for ten minutes', () => {
    world.clientCall(false);
    world.request();
    expect(world.sent).toHaveLength(0);

    world.passes(600_000);
    world.request();

    expect(world.sent).toHaveLength(1);
  });

  test('client call cancels the speculative call that is pending on its server', () => {
    world.request();

    world.clientCall();

    expect(world.sent[0]?.signal.aborted).toBe(true);
    expect(world.fates).toMatchObject({ stale: 1 });
  });

  test('identical call joins the pending speculative call, and other clients no longer cancel it', async () => {
    world.request();
    world.now = 30;

    const { taken } = world.take();
    world.clientCall();
    await world.answered();

    expect(await taken).toMatchObject({ result: RESULT });
    expect(world.fates).toMatchObject({ served: 1, savedMs: 30 });
  });

  test('joined call is made by the client itself when the speculative call fails', async () => {
    world.request();
    const { taken } = world.take();
    await world.answered({ ...RESULT, isError: true });

    expect(await taken).toBeUndefined();
    expect(world.fates).toMatchObject({ failed: 1, served: 0 });
  });

  test('pending call that its session no longer needs is cancelled, and kept results stay', async () => {
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
  test('server that asks a question gets no answer, and its tool is never called ahead again', async () => {
    world.request();
    const [call] = world.sent;
    const { signal } = new AbortController();

    await expect(call?.caller.ask('elicitation/create', {}, signal)).rejects.toThrow('by itself');
    await world.answered();

    expect(call?.caller.capabilities).toEqual({});
    expect(world.take().taken).toBeUndefined();
    expect(world.request()).toBeUndefined();
  });

  test('AheadCalls makes no more calls at once on a server than the concurrency allows', async () => {
    world.request({ id: 1 });
    world.request({ id: 2 });
    expect(world.sent).toHaveLength(1);

    await world.answered();
    world.passes(0);

    expect(world.sent).toHaveLength(2);
  });

  test('speculative call stops when the definition changes right before the call leaves', async () => {
    world.request();
    const before = world.sent.length;
    world.tool = { ...world.tool, admission: { isReading: false } };

    expect(() => world.sent[0]?.check()).toThrow('not called ahead');
    expect(world.request({ id: 2 })).toBeUndefined();
    expect(world.sent).toHaveLength(before);
  });

  test('AheadCalls makes no call with a spent budget until the next minute', async () => {
    world.settings = { ...SETTINGS, callsPerMinute: 1 };
    world.now = 1_000_000;
    world.request({ id: 1 });
    await world.answered();

    expect(world.request({ id: 2 })).toBeUndefined();
    world.passes(60_000);
    expect(world.request({ id: 2 })).toBeDefined();
  });

  test('unused result is dropped when its time to live is over', async () => {
    world.request();
    await world.answered();

    world.passes(30_000);

    expect(world.ahead.size).toBe(0);
    expect(world.fates).toMatchObject({ unused: 1 });
  });

  test('writing client call drops the results of every server, a reading one only those of its own', async () => {
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

  test('AheadCalls calls nothing ahead while a call that may write is pending on any server', () => {
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
