import { expect, test } from 'vitest';

import { countTools } from '../../../test/helpers/count-tools.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { silentLogger as log } from '../../core/index.js';
import { RequestMemory } from '../../ranking/index.js';
import { Experience } from './experience.js';

function createExperience(onGrown: () => void = () => {}) {
  return new Experience({
    requests: new RequestMemory({ capacity: 5_000 }),
    log,
    graphOf: countTools,
    keepable: (intent) => intent,
    onTaken: async () => {},
    onAdded: () => {},
    onGrown,
  });
}

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => served(`r${at}`, `mail ${at}`, ['mail:send']));

test('closing waits until a flush under way has stored all of its executions', async () => {
  const { experience: store } = memoryStores();
  const experience = createExperience();
  await experience.attach(store);
  for (const trace of many(800)) experience.keep(trace);

  const flushing = experience.settled();
  await experience.close();
  const stored = await store.load({ limit: 5_000 });
  await flushing;

  expect(stored).toHaveLength(800);
});

test('executions that are taken while the store opens reach the store', async () => {
  const { experience: store } = memoryStores();
  const experience = createExperience();

  const remembering = experience.remember(many(100));
  await experience.attach(store);
  await remembering;
  await experience.close();

  expect(await store.load({ limit: 5_000 })).toHaveLength(100);
});

test('an import ends with an error that tells to repeat it when PML stops meanwhile', async () => {
  const { experience: store } = memoryStores();
  const experience = createExperience();
  await experience.attach(store);

  const importing = experience.remember(many(2_000));
  await experience.close();

  await expect(importing).rejects.toThrow(/Import them again/);
});

test('learning goes on after a failure while PML learned from new executions', async () => {
  let grown = 0;
  const experience = createExperience(() => {
    grown += 1;
    if (grown === 1) throw new Error('no memory');
  });

  await experience.remember(many(1));
  await experience.grown();
  await experience.remember([served('late', 'mail late', ['mail:send'])]);
  await experience.grown();

  expect(grown).toBe(2);
});
