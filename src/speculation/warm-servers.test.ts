import { expect, test } from 'vitest';

import { type Deferred, deferred } from '../../test/helpers/deferred.js';
import { fakeClient } from '../../test/helpers/fake-client.js';
import { gatewaySettings, serverSpec } from '../../test/helpers/gateway-settings.js';
import {
  parseToolId,
  type ServerName,
  type ServerSpec,
  serverName,
  silentLogger,
  type SpeculationSettings,
  type ToolId,
} from '../core/index.js';
import type { StartedAhead } from '../servers/index.js';
import { type WarmableServer, WarmServers } from './warm-servers.js';

/** A server whose starts end when the test says so. It has nothing that could be called. */
class FakeServer implements WarmableServer {
  readonly spec: ServerSpec;
  readonly starts: Deferred<StartedAhead | Error>[] = [];
  readonly callStart = deferred<void>();
  isOpen = false;
  isCalled = false;
  lastError: string | undefined;

  constructor(name: string, isolation: ServerSpec['isolation'] = 'shared') {
    this.spec = { ...serverSpec(name), isolation };
  }

  get status() {
    const { lastError } = this;
    return {
      state: 'stopped',
      pids: [],
      runningCalls: 0,
      eras: [],
      lastError,
      retryInMs: 0,
    } as const;
  }

  isOpenFor(): boolean {
    return this.isOpen;
  }

  get pendingStart(): Promise<void> | undefined {
    return this.isCalled ? this.callStart.promise : undefined;
  }

  async startAhead(): Promise<StartedAhead> {
    const start = deferred<StartedAhead | Error>();
    this.starts.push(start);
    const ended = await start.promise;
    if (ended instanceof Error) throw ended;
    this.isOpen = true;
    return ended;
  }

  /** Ends the last start. */
  started(sparedMs: Promise<number | undefined> = new Promise(() => {}), ms = 100): void {
    this.starts.at(-1)!.resolve({ ms, sparedMs });
  }
}

interface Setup {
  readonly names?: readonly string[];
  readonly settings?: Partial<SpeculationSettings>;
  readonly used?: readonly string[];
  readonly denied?: readonly string[];
  readonly own?: readonly string[];
}

function setUp({
  names = ['a', 'b', 'c'],
  settings,
  used = [],
  denied = [],
  own = [],
}: Setup = {}) {
  const servers = new Map(names.map((name) => [name, new FakeServer(name)]));
  for (const name of own) servers.set(name, new FakeServer(name, 'per-client'));
  const released: string[] = [];
  const sessions = new Set(['one']);
  const clock = { now: 0 };
  const warming = new WarmServers({
    settings: () => ({ ...gatewaySettings([]).speculation, ...settings }),
    denied: () => denied,
    servers: () => [...servers.values()],
    serversOf: (tool): readonly ServerName[] => [parseToolId(tool).server],
    usedBy: () => Promise.resolve(used.map(serverName)),
    hasSession: (session) => sessions.has(session),
    release: async (session) => void released.push(session),
    now: () => clock.now,
    log: silentLogger,
  });
  const { caller } = fakeClient('one').context;
  const show = (...ids: readonly string[]) =>
    warming.warm(
      ids.map((id, place) => ({ tool: `${id}:x` as ToolId, score: 0.9 - place / 100 })),
      'discovered',
      caller,
    );
  const startsOf = (name: string) => servers.get(name)!.starts.length;
  return { warming, servers, show, startsOf, released, sessions, clock, caller };
}

// covers: WARM-BUDGET
test('no more servers start at the same time than configured', async () => {
  const { show, startsOf, servers } = setUp();

  show('a', 'b', 'c');
  show('c');

  expect(['a', 'b', 'c'].map(startsOf)).toEqual([1, 1, 0]);
  servers.get('a')!.started();
  await expect.poll(() => startsOf('c')).toBe(1);
});

// covers: WARM-SAFE
test('a denied, a failed, an unknown and a running server are not started', () => {
  const { show, startsOf, servers } = setUp({ settings: { deny: ['a'] } });
  servers.get('b')!.lastError = 'needs a sign-in';
  servers.get('c')!.isOpen = true;

  show('a');
  show('b', 'c');
  show('unknown');

  expect(['a', 'b', 'c'].map(startsOf)).toEqual([0, 0, 0]);
});

// covers: WARM-SAFE
test('a tool that is denied starts no server, whatever else its server has', () => {
  const { show, startsOf } = setUp({ settings: { deny: ['a:x'] }, denied: ['b:x'] });

  show('a', 'b', 'c');

  expect(['a', 'b', 'c'].map(startsOf)).toEqual([0, 0, 1]);
});

// covers: WARM-OFF
test('mode off starts nothing, neither for what is shown nor for a new session', async () => {
  const { show, startsOf, warming, caller } = setUp({ settings: { mode: 'off' }, used: ['a'] });

  show('a', 'b');
  warming.begin(caller);
  await Promise.resolve();

  expect(['a', 'b'].map(startsOf)).toEqual([0, 0]);
  expect(warming.counts.started).toBe(0);
});

test('a new session starts what its client used last time', async () => {
  const { startsOf, warming, caller } = setUp({ used: ['b', 'c', 'a'] });

  warming.begin(caller);

  await expect.poll(() => startsOf('b')).toBe(1);
  expect(warming.counts.reasons).toMatchObject({ session: 2, discovered: 0 });
});

// covers: WARM-BUDGET
test('a start that a call waits for goes first', async () => {
  const { show, startsOf, servers } = setUp();
  const called = servers.get('c')!;
  called.isCalled = true;

  show('a');
  expect(startsOf('a')).toBe(0);
  called.isCalled = false;
  called.callStart.resolve();

  await expect.poll(() => startsOf('a')).toBe(1);
});

test('what had to wait for too long is not started any more', async () => {
  const { show, startsOf, servers, clock } = setUp({ settings: { warmServers: 1 } });
  show('a');
  show('b');
  clock.now = 60_000;

  servers.get('a')!.started();
  await expect.poll(() => servers.get('a')!.isOpen).toBe(true);

  expect(startsOf('b')).toBe(0);
});

test('a start counts as used with the time it saved, or as wasted, or as failed', async () => {
  const { show, servers, warming } = setUp();
  show('a', 'b');
  servers.get('a')!.started(Promise.resolve(80));
  servers.get('b')!.started(Promise.resolve(undefined), 40);
  await expect.poll(() => warming.counts.wasted).toBe(1);
  show('c');
  servers.get('c')!.starts[0]!.resolve(new Error('no such program'));
  await expect.poll(() => warming.counts.failed).toBe(1);

  expect(warming.counts).toMatchObject({
    started: 3,
    used: 1,
    savedMs: 80,
    wasted: 1,
    wastedMs: 40,
    failed: 1,
  });
});

test('a server for one client ends if its session left while it started', async () => {
  const { show, servers, sessions, released, startsOf } = setUp({ own: ['mine'] });
  show('mine');
  sessions.delete('one');

  servers.get('mine')!.started();
  await expect.poll(() => released).toEqual(['one']);
  servers.get('mine')!.isOpen = false;
  show('mine');

  expect(startsOf('mine')).toBe(1);
});
