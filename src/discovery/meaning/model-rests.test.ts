import { expect, test } from 'vitest';

import { searchable } from '../../../test/helpers/ready-discovery.js';
import { ToyEmbedder } from '../../../test/helpers/toy-embedder.js';
import { silentLogger } from '../../core/index.js';
import { Discovery } from '../discovery.js';

const OFFICE = { 'mail:send': 'Send a mail', 'files:read': 'Read a file' };

/** A model that was loaded before and comes back when it is asked for. */
class RestingEmbedder extends ToyEmbedder {
  constructor(loadMs: number) {
    super({ isReady: false });
    this.status = { state: 'idle', loadMs };
  }

  override async warmUp(): Promise<void> {
    await super.warmUp();
    this.status = { state: 'ready' };
  }
}

function createDiscovery(isModelWanted: boolean): Discovery {
  return new Discovery({
    log: silentLogger,
    now: () => new Date(0),
    newId: () => 'id',
    isModelWanted,
  });
}

test('discovery that no client asks makes no vectors before the first question, and then all of them', async () => {
  const discovery = createDiscovery(false);
  const embedder = new ToyEmbedder();
  discovery.sync(searchable(OFFICE));
  await discovery.use(embedder);
  discovery.sync(searchable({ ...OFFICE, 'files:list': 'List files' }));
  await discovery.settled();
  const before = discovery.status.withVectors;

  await discovery.weigh('send it');
  await discovery.settled();

  expect([before, discovery.status.withVectors]).toEqual([0, 3]);
});

test('a question waits for a model that rested, if the model loads quickly', async () => {
  const discovery = createDiscovery(true);
  discovery.sync(searchable(OFFICE));
  await discovery.use(new RestingEmbedder(400));

  expect((await discovery.weigh('send it')).byMeaning).toBe(true);
});

test('a question is answered by words while a model that loads slowly comes back', async () => {
  const discovery = createDiscovery(true);
  discovery.sync(searchable(OFFICE));
  await discovery.use(new RestingEmbedder(4_000));

  expect((await discovery.weigh('send it')).byMeaning).toBe(false);
  expect((await discovery.weigh('send it')).byMeaning).toBe(true);
});
