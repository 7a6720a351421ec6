import { describe, expect, test } from 'vitest';

import { gatewaySettings } from '../../test/helpers/gateway-settings.js';
import {
  type JsonObject,
  maskForms,
  serverName,
  silentLogger,
  type SpeculationMode,
  THE_USER,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import type { Caller } from '../servers/index.js';
import type { Episode } from './episode.js';
import { Foresight } from './foresight.js';
import type { PredictedCall, SessionCall } from './situation.js';

const NOTES = serverName('notes');
const tool = (name: string) => `notes:${name}` as ToolId;
const RESULT: ToolResult = { content: [{ type: 'text', text: 'note' }] };
const CLIENT: Caller = {
  session: 's',
  principal: THE_USER,
  user: 's',
  era: 'legacy',
  info: { name: 'test' },
  capabilities: {},
  ask: () => Promise.resolve({}),
  tell: () => {},
};

const next = (name: string, args: JsonObject = {}, confidence = 0.95): PredictedCall => ({
  tool: tool(name),
  args,
  confidence,
  toolConfidence: confidence,
  why: '',
});

class World {
  predicted: readonly PredictedCall[] = [];
  hasMetaTools = true;
  predictions = 0;
  readonly mode: SpeculationMode;
  readonly episodes: Episode[] = [];
  readonly observed: SessionCall[] = [];
  readonly sent: ToolId[] = [];
  readonly foresight: Foresight;
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();
  #time = 0;

  constructor(mode: SpeculationMode) {
    this.mode = mode;
    const { speculation } = gatewaySettings([]);
    this.foresight = new Foresight({
      settings: () => ({ ...speculation, mode, hasMetaTools: this.hasMetaTools }),
      predictor: {
        predict: () => {
          this.predictions++;
          return Promise.resolve(this.predicted);
        },
        observe: (_situation, call) => void this.observed.push(call),
      },
      ledger: {
        thresholdFor: () => 0.9,
        corrected: (_situation, { confidence }) => confidence,
        settled: (episode) => void this.episodes.push(episode),
      },
      toolOf: (id) => ({
        status: 'active',
        hash: 'h',
        annotations: { openWorldHint: false },
        admission: { isReading: !id.includes('put') },
        isolation: 'shared',
        isRunning: true,
        instance: this,
      }),
      isCallable: (id) => !id.includes('hidden'),
      send: (call) => {
        this.sent.push(call.tool);
        this.#time += 3;
        return Promise.resolve(RESULT);
      },
      mask: maskForms,
      log: silentLogger,
      now: () => this.#time,
      newId: () => `${this.episodes.length}`,
      later: (ms, work) => {
        const timer = { at: this.#time + ms, work };
        this.#timers.add(timer);
        return () => void this.#timers.delete(timer);
      },
    });
  }

  /** Advances the clock and runs everything that is due by then. */
  async pass(ms: number) {
    this.#time += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#time) continue;
      this.#timers.delete(timer);
      timer.work();
    }
    await settled();
  }

  /** A client request with one call, its response, and the time the client thinks about it. */
  async call(name: string, args: JsonObject = {}, { isDirect = false, thinksMs = 100 } = {}) {
    this.foresight.asked(CLIENT);
    const request = { id: tool(name), server: NOTES, params: { name, arguments: args } };
    const { signal } = new AbortController();
    const context = { caller: CLIENT, signal, onProgress: undefined };
    const call = this.foresight.began(request, context, { isDirect });
    await settled();
    const ready = await call.ready;
    if (!ready && call.ready) call.left();
    call.ended(RESULT, true);
    const offers = this.foresight.offers(CLIENT);
    this.foresight.answered(CLIENT);
    await settled();
    await this.pass(thinksMs);
    return { ready, offers };
  }
}

const settled = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('Foresight', () => {
  test('predicted call is made while the client thinks, and its result is served', async () => {
    const world = new World('on');
    world.predicted = [next('get', { id: 1 })];

    await world.call('list');
    expect(world.sent).toEqual(['notes:get']);
    const { ready } = await world.call('get', { id: 1 });

    expect(ready).toMatchObject({ result: RESULT });
    expect(world.foresight.activity).toMatchObject({ served: 1 });
  });

  test('speculative calls are observed only when a client makes them', async () => {
    const world = new World('on');
    world.predicted = [next('get')];

    await world.call('list');
    expect(world.observed.map((call) => call.tool)).toEqual(['notes:list']);
    await world.call('get');

    expect(world.observed.map((call) => call.tool)).toEqual(['notes:list', 'notes:get']);
  });

  test('tool that may write is never called ahead, however sure the prediction', async () => {
    const world = new World('on');
    world.predicted = [next('put', {}, 1), next('get', { password: 'x' }, 1)];

    await world.call('list');

    expect(world.sent).toEqual([]);
  });

  // covers: SPECULATION-EPISODES
  test.each<[string, [string, JsonObject?] | undefined, Partial<Episode>]>([
    ['exact', ['get', { id: 1 }], { outcome: 'exact', wastedMs: 0 }],
    ['tool', ['get', { id: 2 }], { outcome: 'tool', actual: tool('get'), savedMs: 0 }],
    ['other', ['put'], { outcome: 'other', actual: tool('put'), savedMs: 0 }],
    ['expired', undefined, { outcome: 'expired', savedMs: 0 }],
  ])('prediction that PML acted on is settled as %s', async (_name, call, outcome) => {
    const world = new World('on');
    world.hasMetaTools = false;
    world.predicted = [next('get', { id: 1 })];
    await world.call('list');
    world.predicted = [];

    if (call) await world.call(...call);
    else world.foresight.left('s');

    expect(world.episodes).toMatchObject([
      {
        rung: 'speculate',
        wasDone: true,
        predicted: 'notes:get',
        last: ['notes:list'],
        ...outcome,
      },
    ]);
  });

  test('prediction below its threshold is not acted on, but is settled', async () => {
    const world = new World('on');
    world.hasMetaTools = false;
    world.predicted = [next('get', {}, 0.5)];
    await world.call('list');
    await world.call('get');

    expect(world.sent).toEqual([]);
    expect(world.episodes[0]).toMatchObject({ wasDone: false, outcome: 'exact', confidence: 0.5 });
  });

  test('response offers only predicted calls that are sure, callable and free of secrets', async () => {
    const world = new World('suggest');
    world.predicted = [
      next('hidden'),
      next('login', { password: 'x' }),
      next('unsure', {}, 0.5),
      next('put', { id: 1 }),
    ];

    const { offers } = await world.call('list');

    expect(offers).toEqual([{ tool: 'notes:put', args: { id: 1 } }]);
    expect(world.sent).toEqual([]);
  });

  test.each<[SpeculationMode, boolean, boolean]>([
    ['off', true, false],
    ['warm', true, false],
    ['suggest', false, false],
    ['suggest', true, true],
  ])(
    'mode %s, meta-tools %s, direct call %s: the response offers nothing',
    async (mode, isMeta, isDirect) => {
      const world = new World(mode);
      world.hasMetaTools = isMeta;
      world.predicted = [next('get')];

      const { offers } = await world.call('list', {}, { isDirect });

      expect(offers).toEqual([]);
    },
  );

  test('offer is settled by the next call', async () => {
    const world = new World('suggest');
    world.predicted = [next('get', { id: 1 })];
    await world.call('list');
    await world.call('get', { id: 1 });

    expect(world.episodes[0]).toMatchObject({ rung: 'offer', wasDone: true, outcome: 'exact' });
  });

  test('read-only steps of a plan are called ahead and settled when the client uses them', async () => {
    const world = new World('on');
    const steps = ['get', 'put'].map((name) => ({ tool: tool(name), args: {}, confidence: 0.95 }));

    world.foresight.stepsForeseen(CLIENT, steps, 'a step of the suggested plan');
    await settled();
    expect(world.sent).toEqual(['notes:get']);
    const { ready } = await world.call('get');

    expect(ready).toBeDefined();
    expect(world.episodes).toMatchObject([{ rung: 'speculate', outcome: 'exact' }]);
  });

  test('client that calls in a loop without thinking causes no prediction', async () => {
    const world = new World('on');
    world.predicted = [next('get')];
    await world.call('list', {}, { thinksMs: 1 });
    const before = world.predictions;

    for (let round = 0; round < 20; round++) await world.call('get', {}, { thinksMs: 1 });
    expect(world.predictions).toBe(before);
    await world.pass(100);

    expect(world.predictions).toBe(before + 1);
  });

  test('Foresight remembers nothing of a session while speculation is off', async () => {
    const world = new World('off');
    await world.call('list');

    expect(world.foresight.held).toEqual({ followedSessions: 0, callsAhead: 0 });
    expect(world.observed).toEqual([]);
  });
});
