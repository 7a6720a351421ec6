import { expect, test, vi } from 'vitest';

import { createDiscovery, searchable } from '../../../test/helpers/ready-discovery.js';
import { ToyEmbedder } from '../../../test/helpers/toy-embedder.js';
import { silentLogger } from '../../core/index.js';
import { Discovery } from '../discovery.js';

const OFFICE = { 'mail:send': 'Send a mail', 'files:read': 'Read a file' };
const MS = 5_000;

/** Is ready as soon as it is loaded. */
class LoadingEmbedder extends ToyEmbedder {
  constructor() {
    super({ isReady: false });
  }

  override async warmUp(): Promise<void> {
    await super.warmUp();
    await this.gate;
    this.status = { state: 'ready' };
  }
}

const isByMeaning = async (discovery: Discovery) => (await discovery.weigh('send it')).byMeaning;

test('what was waited for is answered by meaning, with a model that is still to be chosen', async () => {
  const discovery = new Discovery({
    log: silentLogger,
    now: () => new Date(0),
    newId: () => 'id',
    isModelComing: true,
  });
  discovery.sync(searchable(OFFICE));

  const prepared = discovery.prepared(MS);
  await discovery.use(new LoadingEmbedder());
  await prepared;

  expect(await isByMeaning(discovery)).toBe(true);
  expect(discovery.status).toMatchObject({ withVectors: 2, waiting: 0 });
});

test('a model that does not load is waited for once', async () => {
  vi.useFakeTimers();
  try {
    const { discovery, clock } = createDiscovery();
    const embedder = new LoadingEmbedder();
    embedder.gate = new Promise(() => {});
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);

    const first = discovery.prepared(MS);
    await vi.advanceTimersByTimeAsync(MS);
    await first;
    clock.now = new Date(MS);
    await discovery.prepared(MS);

    expect(await isByMeaning(discovery)).toBe(false);
    await discovery[Symbol.asyncDispose]();
  } finally {
    vi.useRealTimers();
  }
});

test('nothing is waited for where there is no model, or it fails', async () => {
  const { discovery } = createDiscovery();
  discovery.sync(searchable(OFFICE));
  await discovery.prepared(MS);

  const failing = new LoadingEmbedder();
  failing.failure = new Error('no such file');
  await discovery.use(failing);
  await discovery.prepared(MS);

  expect(await isByMeaning(discovery)).toBe(false);
});
