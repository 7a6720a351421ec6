import { expect, test } from 'vitest';

import { anEpisode } from '../../../test/conformance/episode-store.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { silentLogger } from '../../core/index.js';
import { createSpeculationLedger } from '../../speculation/index.js';
import { asJson } from '../as-json.js';
import { forget, showSpeculation, summarizeSpeculation } from './speculation.js';

async function daemonWith(isOpen = true) {
  const { episodes } = memoryStores();
  const ledger = createSpeculationLedger({
    log: silentLogger,
    now: () => 0,
    mask: (text) => text,
    pause: async () => {},
  });
  await ledger.attach(episodes);
  const store = async () => ({
    store: isOpen ? {} : undefined,
    error: isOpen ? undefined : 'torn',
  });
  return { speculation: { ledger }, store, episodes };
}

test('metrics cross the control connection as JSON, and the summary is made of the same', async () => {
  const daemon = await daemonWith();
  const { ledger } = daemon.speculation;
  ledger.settled(anEpisode('a'));
  for (let place = 0; place < 30; place++) {
    ledger.settled(anEpisode(`b${place}`, { outcome: 'other', savedMs: 0, wastedMs: 10 }));
  }

  const metrics = await showSpeculation(daemon);

  expect(asJson(metrics)).toEqual(metrics);
  expect(metrics).toMatchObject({
    predictions: 31,
    from: '2026-11-02T08:00:00.123Z',
    rungs: [{ rung: 'speculate', exact: 1, served: 1, wasted: 30 }],
    extraCalls: [{ server: 'files', calls: 30 }],
    thresholds: [{ kind: 'read', outcomes: 31, history: [{ value: 0.92 }] }],
    episodes: { inUse: false, gate: { name: 'episodes', groups: 0 } },
  });
  expect(summarizeSpeculation(daemon)).toMatchObject({
    predictions: 31,
    served: 1,
    wasted: 30,
    savedMs: 121,
    off: [],
  });
});

test('forgetting is refused while the store is not open: what is on disk would come back', async () => {
  const daemon = await daemonWith(false);
  daemon.speculation.ledger.settled(anEpisode('a'));

  await expect(forget(daemon, { what: 'episodes' })).rejects.toThrow(/Nothing was forgotten: torn/);
  expect(daemon.speculation.ledger.size).toBe(1);
});

test('episodes, thresholds or both are forgotten as asked', async () => {
  const daemon = await daemonWith();
  daemon.speculation.ledger.settled(anEpisode('a'));

  expect(await forget(daemon, { what: 'thresholds' })).toEqual({ episodes: 0, thresholds: 1 });
  expect(await forget(daemon, { what: 'speculation' })).toEqual({ episodes: 1, thresholds: 0 });
});
