import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { anEpisode } from '../../../test/conformance/episode-store.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { recordingLogger } from '../../../test/helpers/ready-discovery.js';
import type { Episode, ToolId } from '../../core/index.js';
import type { PredictedCall, Situation } from '../situation.js';
import { OFF_THRESHOLD } from './adapt-threshold.js';
import { createSpeculationLedger, type LedgerOptions } from './learning-ledger.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const START = Date.UTC(2026, 10, 2);
const READ = 'files:read' as ToolId;
const both = { episodes: true, thresholds: true };

function openLedger(changes: Partial<LedgerOptions> = {}) {
  const clock = { now: START };
  const log = recordingLogger();
  const ledger = createSpeculationLedger({
    log,
    now: () => clock.now,
    mask: (text) => text.replaceAll('hunter2', '***'),
    pause: async () => {},
    ...changes,
  });
  return { ledger, log, clock, store: memoryStores().episodes };
}

/** One prediction every 90 seconds, each for a different request. */
function episodes(count: number, one: (place: number) => Partial<Episode>): readonly Episode[] {
  return Array.from({ length: count }, (_, place) =>
    anEpisode(`e${place}`, {
      at: new Date(START + place * 90_000),
      intent: `report number ${place}`,
      ...one(place),
    }),
  );
}

/** Predictions of equal confidence: wrong after `files:list`, right after `files:stat`. */
const telling = (place: number): Partial<Episode> => ({
  last: [place % 2 === 0 ? 'files:list' : 'files:stat'] as ToolId[],
  confidence: 0.6,
  wasDone: false,
  outcome: place % 2 === 0 ? 'other' : 'exact',
});

const situation = (last: string, intent = 'a new report'): Situation => ({
  session: 's',
  client: 'claude-code',
  intent,
  calls: [{ tool: last as ToolId, args: {}, ok: true, turn: 0, at: START }],
});
const predicted: PredictedCall = {
  tool: READ,
  args: {},
  confidence: 0.6,
  toolConfidence: 0.8,
  why: '',
};

test('threshold that the user fixes holds on every rung, whatever the outcomes of predictions', () => {
  const { ledger } = openLedger({ fixedThreshold: () => 0.4 });
  for (const one of episodes(60, () => ({ outcome: 'other' }))) ledger.settled(one);

  expect(ledger.thresholdFor('speculate', READ)).toBe(0.4);
  expect(ledger.thresholdFor('offer', READ)).toBe(0.4);
});

describe('correction by episodes', () => {
  // covers: SPEC-EPISODES
  test('ledger corrects a prediction that was wrong in similar situations, not one that was right', () => {
    const { ledger, clock } = openLedger();
    for (const one of episodes(120, telling)) ledger.settled(one);
    clock.now = START + 121 * 90_000;

    expect(ledger.figures.correction.isBetter).toBe(true);
    expect(ledger.corrected(situation('files:list'), predicted)).toBeLessThan(0.3);
    expect(ledger.corrected(situation('files:stat'), predicted)).toBeGreaterThan(0.8);
  });

  test('ledger leaves the confidence unchanged while the gate is closed, whatever single episodes say', () => {
    const { ledger, clock } = openLedger();
    const few = episodes(6, () => ({ confidence: 0.6, outcome: 'other' }));
    for (const one of few) ledger.settled(one);
    clock.now = START + 3_600_000;

    expect(ledger.figures.correction.isBetter).toBe(false);
    expect(ledger.corrected(situation('files:list'), predicted)).toBe(0.6);
  });

  test('uninformative episodes leave the correction gate closed', () => {
    const { ledger, clock } = openLedger();
    const noise = episodes(300, (place) => ({
      confidence: 0.5,
      outcome: (place * 7_919) % 13 < 6 ? 'exact' : 'other',
    }));
    for (const one of noise) ledger.settled(one);
    clock.now = START + 301 * 90_000;

    expect(ledger.figures.correction.isBetter).toBe(false);
  });

  test('many episodes of one request prove nothing to the correction gate', () => {
    const { ledger } = openLedger();
    const same = episodes(120, (place) => ({ ...telling(place), intent: 'the same report' }));
    for (const one of same) ledger.settled(one);

    expect(ledger.figures.correction).toMatchObject({ isBetter: false, groups: 1 });
  });

  test('two predictions for one call do not prove each other right', () => {
    const { ledger } = openLedger();
    const unlike = episodes(100, (place) => ({
      confidence: 0.5,
      intent: `w${place}`,
      last: [`t:${place}` as ToolId],
      outcome: (place * 7_919) % 13 < 6 ? 'exact' : 'other',
    }));
    for (const one of unlike) {
      ledger.settled({ ...one, id: `${one.id} offer`, rung: 'offer' });
      ledger.settled(one);
    }

    expect(ledger.figures.correction.isBetter).toBe(false);
  });

  test('old episodes count less than new ones', () => {
    const { ledger, clock } = openLedger();
    for (const one of episodes(120, telling)) ledger.settled(one);
    clock.now = START + 121 * 90_000;
    const soon = ledger.corrected(situation('files:list'), predicted);
    clock.now += 90 * 24 * 3_600_000;

    const later = ledger.corrected(situation('files:list'), predicted);

    expect(later).toBeGreaterThan(soon);
    expect(later).toBeLessThanOrEqual(0.6);
  });

  test('ledger compares intents by words until a model compares them by meaning in the background', async () => {
    const asked: (readonly string[])[] = [];
    const { ledger, clock } = openLedger({
      compare: async (texts) => {
        asked.push(texts);
        // Every second request means the same; a model calls all of them fairly near.
        return { likeness: (_, other) => (Number(other.slice(-1)) % 2 === 0 ? 0.99 : 0.76) };
      },
    });
    for (const one of episodes(120, telling)) ledger.settled(one);
    clock.now = START + 121 * 90_000;
    const ask = () => ledger.corrected(situation('files:list', 'unlike words'), predicted);

    const byWords = ask();
    ask();
    await ledger[Symbol.asyncDispose]();

    expect(asked).toEqual([['unlike words', ...asked[0]!.slice(1)]]);
    expect(asked[0]).toHaveLength(16);
    expect(ask()).toBeLessThan(byWords);
  });
});

describe('thresholds of the ledger', () => {
  test('ledger keeps one threshold per rung and kind of tool, and switches off a kind that does not pay', () => {
    const { ledger } = openLedger();
    for (const one of episodes(60, () => ({ confidence: 0.99, outcome: 'other' }))) {
      ledger.settled(one);
      ledger.settled({
        ...one,
        id: `${one.id}l`,
        predicted: 'files:list_all' as ToolId,
        outcome: 'exact',
      });
    }

    expect(ledger.thresholdFor('speculate', READ)).toBe(OFF_THRESHOLD);
    expect(ledger.thresholdFor('speculate', 'web:get_page' as ToolId)).toBe(OFF_THRESHOLD);
    expect(ledger.thresholdFor('speculate', 'web:list' as ToolId)).toBe(0.7);
    expect(ledger.thresholdFor('offer', READ)).toBe(0.92);
    expect(ledger.figures.thresholds).toMatchObject([
      { kind: 'read', isOff: true, why: expect.stringMatching(/^off: /), outcomes: 50 },
      { kind: 'list', isOff: false, value: 0.7 },
    ]);
  });

  test('ledger targets come from outside and may change', () => {
    const targets = { useful: 0.85, waste: 0.1 };
    const { ledger } = openLedger({ targets: () => targets });
    const half = (place: number): Partial<Episode> => ({
      confidence: 0.99,
      outcome: place % 2 === 0 ? 'exact' : 'other',
    });
    for (const one of episodes(60, half)) ledger.settled(one);
    expect(ledger.thresholdFor('speculate', READ)).toBe(OFF_THRESHOLD);

    Object.assign(targets, { useful: 0.3, waste: 0.6 });
    ledger.settled(anEpisode('last', { confidence: 0.99 }));

    expect(ledger.thresholdFor('speculate', READ)).toBe(0.95);
  });
});

describe('what the ledger stores', () => {
  // covers: SPEC-LEDGER-KEPT
  test('ledger episodes and thresholds survive a restart', async () => {
    const { ledger, store } = openLedger();
    await ledger.attach(store);
    for (const one of episodes(120, telling)) ledger.settled(one);
    for (const one of episodes(60, () => ({ confidence: 0.99, outcome: 'other' }))) {
      ledger.settled({ ...one, id: `s${one.id}`, predicted: 'web:search' as ToolId });
    }
    await ledger[Symbol.asyncDispose]();

    const next = openLedger();
    next.clock.now = START + 121 * 90_000;
    await next.ledger.attach(store);

    expect(next.ledger.figures.correction.isBetter).toBe(true);
    expect(next.ledger.corrected(situation('files:list'), predicted)).toBeLessThan(0.3);
    expect(next.ledger.thresholdFor('speculate', 'web:search' as ToolId)).toBe(OFF_THRESHOLD);
    expect(next.ledger.figures.thresholds.map(({ outcomes }) => outcomes)).toContain(50);
    expect(next.ledger.figures).toMatchObject({ episodes: 180 });
  });

  test('ledger masks secrets in intents in memory and in the store, and truncates long intents', async () => {
    const { ledger, store } = openLedger();
    await ledger.attach(store);

    ledger.settled(anEpisode('a', { intent: `log in with hunter2 ${'x'.repeat(2_000)}` }));
    await ledger[Symbol.asyncDispose]();

    const [row] = store.rows.values();
    expect(row!.intent).toMatch(/^log in with \*\*\* x+$/);
    expect(row!.intent).toHaveLength(500);
  });

  test('ledger writes nothing while a request is served, and a flood keeps the newest episodes', async () => {
    const { ledger, store } = openLedger();
    await ledger.attach(store);

    for (const one of episodes(700, () => ({}))) ledger.settled(one);
    expect(store.batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(store.batches).toEqual([500]);
    expect(store.rows.has('e699')).toBe(true);
  });

  test('ledger stores early episodes when the store opens, beside existing ones', async () => {
    const { ledger, store } = openLedger();
    await store.add([anEpisode('old', { at: new Date(START - 1_000) })]);
    ledger.settled(anEpisode('early', { at: new Date(START) }));

    await ledger.attach(store);
    await ledger[Symbol.asyncDispose]();

    expect([...store.rows.keys()]).toEqual(['old', 'early']);
    expect(ledger.size).toBe(2);
  });

  test('odd numbers do not keep a batch of episodes out of the store', async () => {
    const { ledger, store } = openLedger();
    await ledger.attach(store);

    ledger.settled(anEpisode('odd', { confidence: 1.2, wastedMs: Number.NaN, savedMs: -1 }));
    await ledger[Symbol.asyncDispose]();

    expect(store.rows.get('odd')).toMatchObject({ confidence: 1, wastedMs: 0, savedMs: 0 });
  });

  test('ledger reports a failing store, and predictions continue', async () => {
    const { ledger, store, log } = openLedger();
    store.failure = new Error('disk full');
    await ledger.attach(store);
    ledger.settled(anEpisode('a'));
    await ledger[Symbol.asyncDispose]();

    expect(log.warnings.join()).toMatch(/episodes not read.*episodes not recorded/s);
    expect(ledger.corrected(situation('files:list'), predicted)).toBe(0.6);
  });

  test('ledger memory is bounded', () => {
    const { ledger } = openLedger();
    for (const one of episodes(2_300, () => ({}))) ledger.settled(one);

    expect(ledger.size).toBe(2_000);
  });
});

describe('forgetting', () => {
  // covers: SPEC-FORGET
  test('forgotten episodes disappear from memory, from the store and from corrections', async () => {
    const { ledger, store, clock } = openLedger();
    await ledger.attach(store);
    for (const one of episodes(120, telling)) ledger.settled(one);
    for (const one of episodes(30, () => ({ confidence: 0.99, outcome: 'other' }))) {
      ledger.settled({ ...one, id: `s${one.id}`, predicted: 'web:search' as ToolId });
    }
    clock.now = START + 121 * 90_000;

    const forgotten = await ledger.forget({ episodes: true, thresholds: false });

    expect(forgotten).toEqual({ episodes: 150, thresholds: 0 });
    expect([ledger.size, store.rows.size]).toEqual([0, 0]);
    expect(ledger.corrected(situation('files:list'), predicted)).toBe(0.6);
    expect(store.kept.size).toBe(1);
  });

  test('forgotten thresholds return to their initial values', async () => {
    const { ledger, store } = openLedger();
    await ledger.attach(store);
    const wrong = episodes(60, () => ({ confidence: 0.99, outcome: 'other' }));
    for (const one of wrong) ledger.settled(one);

    await ledger.forget(both);

    expect(ledger.thresholdFor('speculate', READ)).toBe(0.92);
    expect([store.rows.size, store.kept.size]).toEqual([0, 0]);
  });

  test('episodes that are being read from the store while the user forgets them do not come back', async () => {
    const { ledger, store } = openLedger();
    await store.add(episodes(5, () => ({})));
    let open = () => {};
    store.gate = new Promise<void>((resolve) => (open = resolve));
    const attaching = ledger.attach(store);

    const forgetting = ledger.forget(both);
    open();
    await Promise.all([attaching, forgetting]);

    expect([ledger.size, store.rows.size]).toEqual([0, 0]);
  });
});

test('ledger figures count the outcomes of predictions by rung, client and server', () => {
  const { ledger } = openLedger();
  const some: readonly Partial<Episode>[] = [
    {},
    { outcome: 'tool', savedMs: 0, wastedMs: 40 },
    { outcome: 'other', actual: 'files:stat' as ToolId, savedMs: 0, wastedMs: 10 },
    { wasDone: false, confidence: 0.8, savedMs: 0 },
    { rung: 'offer', outcome: 'tool', client: 'cursor', savedMs: 0 },
    { rung: 'warm', outcome: 'other', actual: 'files:stat' as ToolId, savedMs: 900 },
    { rung: 'warm', outcome: 'expired', savedMs: 0 },
  ];
  some.forEach((one, place) => ledger.settled(anEpisode(`f${place}`, one)));

  expect(ledger.figures).toMatchObject({
    episodes: 7,
    rungs: [
      { rung: 'warm', predictions: 2, done: 2, served: 1, wasted: 1, savedMs: 900 },
      { rung: 'offer', predictions: 1, exact: 0, tool: 1, served: 1 },
      {
        rung: 'speculate',
        predictions: 4,
        exact: 2,
        tool: 3,
        done: 3,
        served: 1,
        wasted: 2,
        missed: 1,
        savedMs: 120.5,
        wastedMs: 50,
      },
    ],
    clients: [{ client: 'claude-code', predictions: 6 }, { client: 'cursor' }],
    extraCalls: [{ server: 'files', calls: 2 }],
  });
});
