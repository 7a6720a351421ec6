import { expect, test } from 'vitest';

import { memoryStores } from '../../test/helpers/memory-stores.js';
import { served } from '../../test/helpers/ready-discovery.js';
import { ToyEmbedder } from '../../test/helpers/toy-embedder.js';
import { silentLogger as log } from '../core/index.js';
import { RequestMemory } from '../ranking/index.js';
import { SemanticIndex } from './meaning/semantic-index.js';
import { VectorSource } from './meaning/vector-source.js';
import { pastIntent } from './past/past-intent.js';

const CAPACITY = 50;

function open({ capacity = CAPACITY } = {}) {
  const stores = memoryStores();
  const requests = new RequestMemory({ capacity });
  const embedder = new ToyEmbedder();
  const source = new VectorSource({ embedder, store: stores.embeddings, log });
  const index = new SemanticIndex(source, { log, requests });
  const remember = async (id: string, intent: string) => {
    requests.add(pastIntent(served(id, intent, ['mail:send']), new Map()));
    await index.remember([id]);
  };
  return { stores, requests, index, embedder, remember };
}

test('vectors of requests and needs are forgotten with their requests, in memory and in the store', async () => {
  const { stores, requests, index, remember } = open();

  for (let n = 0; n < 600; n++)
    await remember(`t${n}`, `send mail ${n}, and then read letter ${n}`);
  await index.settled();

  expect(requests.size).toBe(CAPACITY);
  expect(index.memory.vectorCount).toBe(CAPACITY);
  expect(index.memory.needCount).toBeLessThanOrEqual(2 * CAPACITY);
  // What waits to be removed is less than one batch more.
  expect(stores.embeddings.vectors.size).toBeLessThan(3 * CAPACITY + 200);
});

test('a request that is made again and again keeps its stored vector', async () => {
  const { index, embedder, remember } = open();

  for (let n = 0; n < 400; n++) await remember(`t${n}`, 'send the weekly mail');
  for (let n = 0; n < 400; n++)
    await remember(`u${n}`, n % 2 ? `other ${n}` : 'send the weekly mail');
  await index.settled();

  expect(embedder.texts.filter((text) => text === 'send the weekly mail')).toHaveLength(1);
});

test('requests that could not be embedded are bounded as the others are', async () => {
  const { requests, index, embedder, remember } = open();
  embedder.failure = new Error('model gone');

  for (let n = 0; n < 300; n++) await remember(`t${n}`, `send mail ${n}`);
  expect(index.isIncomplete).toBe(true);
  embedder.failure = undefined;
  await index.sync({ tools: new Map(), servers: new Map() });

  expect(requests.size).toBe(CAPACITY);
  expect(index.memory.vectorCount).toBe(CAPACITY);
  expect(index.isIncomplete).toBe(false);
});

test('a model that is given up no longer hears of what is forgotten', async () => {
  const { requests, index, remember } = open();
  for (let n = 0; n < CAPACITY; n++) await remember(`t${n}`, `send mail ${n}`);

  await index[Symbol.asyncDispose]();
  for (let n = 0; n < CAPACITY; n++) {
    requests.add(pastIntent(served(`u${n}`, `other ${n}`, ['mail:send']), new Map()));
  }

  expect(index.memory.vectorCount).toBe(CAPACITY);
  expect(requests.size).toBe(CAPACITY);
});
