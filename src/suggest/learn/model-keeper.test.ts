import { expect, test } from 'vitest';

import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { recordingLogger } from '../../../test/helpers/ready-discovery.js';
import { describeModels } from './describe-models.js';
import type { LearnedModels } from './learn-models.js';
import { ModelKeeper } from './model-keeper.js';
import { DEFAULT_MODELS } from './models.js';

const learned = (scale: number): LearnedModels =>
  ({
    models: { ...DEFAULT_MODELS, next: DEFAULT_MODELS.next.map((weight) => weight * scale) },
    heldOut: { next: { gain: 0.1, error: 0.02, why: 'better by +0.100' } },
    heads: [],
    features: {},
    examples: 70,
    reliability: {},
  }) as unknown as LearnedModels;

function keeperWith(
  { ranking }: Pick<ReturnType<typeof memoryStores>, 'ranking'> = memoryStores(),
  space: () => string | undefined = () => 'gte-small/384',
) {
  let time = 0;
  const keeper = new ModelKeeper({
    shipped: DEFAULT_MODELS,
    space,
    headWeights: () => 3,
    now: () => new Date((time += 1)),
    log: recordingLogger(),
  });
  return { keeper, ranking };
}

const idOf = (keeper: ModelKeeper) => describeModels(keeper.used.models).id;

function judge(keeper: ModelKeeper, match: 'exact' | 'none', plans: number): void {
  const model = idOf(keeper);
  for (let place = 0; place < plans; place++) keeper.observe(model, `${model}-${place}`, match);
}

test('keeper of a new process has the weights and figures that the previous one learned', async () => {
  const { keeper, ranking } = keeperWith();
  await keeper.attach(ranking);
  await keeper.take(learned(2), 70);

  const next = keeperWith({ ranking }).keeper;
  await next.attach(ranking);

  expect(next.used.models).toEqual(learned(2).models);
  expect(next.used).toMatchObject({ from: 70, learned: { examples: 70 } });
  expect(next.used.learned!.heldOut.next.why).toBe('better by +0.100');
});

test('keeper drops loaded weights when it learns that the embedding space is another one', async () => {
  const { keeper, ranking } = keeperWith();
  await keeper.attach(ranking);
  await keeper.take(learned(2), 70);
  let space: string | undefined;
  const next = keeperWith({ ranking }, () => space).keeper;
  await next.attach(ranking);
  expect(next.used.models).toEqual(learned(2).models);

  space = 'bge-m3/1024';

  expect(next.used).toEqual({ models: DEFAULT_MODELS, from: 0 });
});

test('keeper without a stored model uses the shipped weights', async () => {
  const { keeper, ranking } = keeperWith();
  await keeper.attach(ranking);

  expect(keeper.used).toEqual({ models: DEFAULT_MODELS, from: 0 });
});

test('keeper goes back to earlier weights if clients take fewer plans as suggested', async () => {
  const { keeper, ranking } = keeperWith();
  await keeper.attach(ranking);
  await keeper.take(learned(2), 70);
  judge(keeper, 'exact', 30);
  await keeper.take(learned(3), 90);
  judge(keeper, 'none', 29);
  expect(keeper.used.models).toEqual(learned(3).models);

  keeper.observe(idOf(keeper), 'one more', 'none');

  expect(keeper.used.models).toEqual(learned(2).models);
  await expect
    .poll(() => ranking.planModels())
    .toMatchObject([{ id: idOf(keeper), status: 'active' }, { status: 'rolled-back' }]);
});

test('keeper counts a plan once, however often its parts are judged, and plans of others never', async () => {
  const { keeper } = keeperWith();
  await keeper.take(learned(2), 70);
  judge(keeper, 'exact', 30);
  await keeper.take(learned(3), 90);

  for (let time = 0; time < 40; time++) keeper.observe(idOf(keeper), 'the same plan', 'none');
  for (let time = 0; time < 40; time++) keeper.observe('other', `other ${time}`, 'none');

  expect(keeper.used.models).toEqual(learned(3).models);
});

test('keeper goes on without a store that fails', async () => {
  const { keeper, ranking } = keeperWith();
  await keeper.attach(ranking);
  ranking.failure = new Error('disk full');

  await keeper.take(learned(2), 70);

  expect(keeper.used.models).toEqual(learned(2).models);
});
