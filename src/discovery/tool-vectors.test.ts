import { expect, test } from 'vitest';

import { createDiscovery, searchable, served } from '../../test/helpers/ready-discovery.js';
import { ToyEmbedder } from '../../test/helpers/toy-embedder.js';
import { SLANG, TOOL_TEXTS } from '../../test/helpers/vector-task.js';
import { learnToolVectors, type VectorTrainer } from '../attention/index.js';

const TOOLS = Object.fromEntries(TOOL_TEXTS.map((text, at) => [`s:tool${at}`, text]));
const trainHere: VectorTrainer = async (task) => learnToolVectors(task);

/** Hardly a word comes twice but the slang: memory of requests tells little of new ones. */
const past = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    served(`r${at}`, `${SLANG[at % 8]} thing${at} matter${at}`, [`s:tool${at % 8}`]),
  );

async function discoveryWith(count: number, trainVectors?: VectorTrainer) {
  const made = createDiscovery(trainVectors ? { trainVectors } : {});
  made.discovery.sync(searchable(TOOLS));
  await made.discovery.use(new ToyEmbedder());
  await made.discovery.remember(past(count));
  await made.discovery.learn();
  return made;
}

// covers: VEC-IDENTITY
test('discovery that has learned no vectors answers byte by byte as discovery that cannot', async () => {
  const [able, unable] = await Promise.all([discoveryWith(60, trainHere), discoveryWith(60)]);

  for (const intent of ['yeet thing7', 'operation of service3', 'nothing known']) {
    const [one, other] = await Promise.all(
      [able, unable].map(({ discovery }) => discovery.rank(intent, { shown: 5 })),
    );
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  }
  expect(able.discovery.status.vectors).toMatchObject({ isInUse: false, tools: 0 });
});
