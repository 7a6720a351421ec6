import { expect, test } from 'vitest';

import { createDiscovery, searchable, served } from '../../../test/helpers/ready-discovery.js';
import { ToyEmbedder } from '../../../test/helpers/toy-embedder.js';
import { foundHits } from './found-hits.js';

const OFFICE = {
  'mail:send': 'Send a mail to somebody',
  'mail:search': 'Search the inbox',
  'files:read': 'Read a file from the disk',
};

async function answer(intent: string, { limit = 5, past = 0 } = {}) {
  const { discovery } = createDiscovery();
  discovery.sync(searchable(OFFICE));
  await discovery.use(new ToyEmbedder());
  await discovery.remember(
    Array.from({ length: past }, (_, at) => served(`p${at}`, 'ping anna now', ['mail:send'])),
  );
  await discovery.learn();
  const ranking = await discovery.rank(intent, { shown: limit });
  return { ranking, ...foundHits(intent, ranking, { index: discovery.index, limit }) };
}

test('hits follow the ranking and carry the words that matched', async () => {
  const { ranking, hits } = await answer('send a mail', { limit: 2 });

  expect(hits.map(({ tool }) => tool.id)).toEqual(
    ranking.tools.slice(0, 2).map(({ tool }) => tool.id),
  );
  expect(hits[0]).toMatchObject({ tool: { id: 'mail:send' } });
  expect(hits[0]?.matches.map(({ word }) => word)).toEqual(['send', 'mail']);
  expect(hits[0]?.score).toBe(ranking.tools[0]?.probability);
});

test('foundHits counts tools at least half as likely as the best match, shown or not', async () => {
  const { ranking, matched } = await answer('send a mail', { limit: 1 });

  const half = ranking.tools[0]!.probability / 2;
  expect(matched).toBe(ranking.tools.filter(({ probability }) => probability >= half).length);
  expect(matched).toBeGreaterThanOrEqual(1);
});

test('a hit that served similar requests says so', async () => {
  const { hits } = await answer('ping anna now', { past: 8 });

  expect(hits[0]).toMatchObject({ tool: { id: 'mail:send' } });
  expect(hits[0]?.reasons).toContain('used for similar');
});

test('the answer without any tools is weak and empty', async () => {
  const { discovery } = createDiscovery();
  const ranking = await discovery.rank('send a mail', { shown: 5 });

  expect(foundHits('send a mail', ranking, { index: discovery.index, limit: 5 })).toEqual({
    hits: [],
    matched: 0,
    isWeak: true,
  });
});
