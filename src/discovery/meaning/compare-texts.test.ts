import { expect, test } from 'vitest';

import { createDiscovery, searchable } from '../../../test/helpers/ready-discovery.js';
import { ToyEmbedder, type ToyOptions } from '../../../test/helpers/toy-embedder.js';
import { silentLogger as log } from '../../core/index.js';
import { compareTexts } from './compare-texts.js';
import { VectorSource } from './vector-source.js';

const MS = 20;

function open(options?: ToyOptions) {
  const embedder = new ToyEmbedder(options);
  return { embedder, source: new VectorSource({ embedder, store: undefined, log }) };
}

test('texts with similar meaning score closer than others, and each is closest to itself', async () => {
  const { source } = open();
  const texts = ['id of a user', 'a user', 'colour'];

  const { likeness } = await compareTexts(source, texts, { log, patienceMs: MS });

  expect(likeness?.('a user', 'a user')).toBeCloseTo(1);
  expect(likeness?.('id of a user', 'a user')).toBeGreaterThan(
    likeness?.('id of a user', 'colour') ?? 1,
  );
  expect(likeness?.('a user', 'never given')).toBeUndefined();
});

test('if the model fails, no texts are compared; if it is slow, the answer says so', async () => {
  const { source, embedder } = open();
  embedder.failure = new Error('out of memory');
  expect(await compareTexts(source, ['a'], { log, patienceMs: MS })).toEqual({});

  embedder.failure = undefined;
  embedder.gate = new Promise(() => {});
  expect(await compareTexts(source, ['b'], { log, patienceMs: MS })).toEqual({
    isLate: expect.stringContaining('busy') as string,
  });
});

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

test('a comparison waits for a loading model, up to a time limit', async () => {
  const { discovery } = createDiscovery();
  discovery.sync(searchable({ 'mail:send': 'Send a mail' }));
  const embedder = new LoadingEmbedder();
  let load = () => {};
  embedder.gate = new Promise((resolve) => {
    load = resolve;
  });
  await discovery.use(embedder);

  expect(await discovery.compare(['a', 'b'], MS)).toEqual({
    isLate: expect.stringContaining('still loading') as string,
  });
  const waiting = discovery.compare(['a', 'b'], 60_000);
  load();
  expect((await waiting).likeness?.('a', 'a')).toBeCloseTo(1);
});

test('a comparison does not wait if no model is configured or the model cannot load', async () => {
  const { discovery } = createDiscovery();
  expect(await discovery.compare(['a'], MS)).toEqual({});

  const failing = new LoadingEmbedder();
  failing.failure = new Error('no such file');
  await discovery.use(failing);

  expect(await discovery.compare(['a'], 60_000)).toEqual({});
});
