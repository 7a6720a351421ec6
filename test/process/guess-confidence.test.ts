/** How sure PML is of a plan, after one procedure that succeeded 27 times, alone and among others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sentenceFiles, teach } from '../helpers/guess-sentences.js';
import { GuessAgent, type GuessPlan } from '../helpers/guess-servers.js';

const CITIES = ['Lisbon', 'Paris', 'Rome', 'Madrid', 'Berlin', 'Prague'];
const WAYS: readonly ((city: string, path: string) => string)[] = [
  (city, path) => `write the weather of ${city} into the file ${path}`,
  (city, path) => `note in ${path} how the weather is in ${city}`,
  (city, path) => `save today's weather for ${city} as ${path}`,
];
/** From here on PML shows the plan. */
const SURE = 0.7;
/** Of the tools and all values that PML filled in, a text made of results among them. */
const LIKELY = 0.5;
const NOTE = ['filesystem:write_file', 'travel:find_city', 'travel:weather'];

const toolsOf = ({ tasks }: GuessPlan) => tasks.map(({ tool }) => tool).toSorted();

/** The agent notes the weather of a city, this often. */
async function note(agent: GuessAgent, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const city = CITIES[count % CITIES.length]!;
    const path = agent.file(`${city}-${count}.txt`);
    const content = 'Weather in ${city.name}: ${sky.summary}';
    const tasks = [
      { id: 'city', tool: 'travel:find_city', args: { name: city } },
      { id: 'sky', tool: 'travel:weather', args: { city_id: '${city.city_id}' } },
      { id: 'file', tool: 'filesystem:write_file', args: { path, content } },
    ];
    const done = await agent.run({ intent: WAYS[count % WAYS.length]!(city, path), tasks });
    if (done.status !== 'completed') throw new Error(`the example did not work: ${done.status}`);
  }
}

describe.each([
  ['among eight others', true],
  ['alone', false],
])('27 successes of one procedure %s', (_, isMixed) => {
  let agent: GuessAgent;

  beforeAll(async () => {
    const config = { embedding: 'gte-small' };
    agent = await GuessAgent.connect({ files: sentenceFiles(), config });
    // Five of its runs are among what it is taught.
    if (isMixed) await teach(agent);
    await note(agent, isMixed ? 22 : 27);
    await agent.remembered(isMixed ? 67 : 27);
    await agent.modelLoaded();
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test('give the right plan a high confidence, but not certainty', async () => {
    const path = agent.file('oslo.txt');
    const intent = `a file ${path} with the weather of Oslo, please`;
    const plan = await agent.plan({ intent });

    expect(toolsOf(plan)).toEqual(NOTE);
    // One procedure alone says little about what else may be asked for.
    expect(plan.confidence).toBeGreaterThanOrEqual(isMixed ? SURE : 0.6);
    expect(plan.confidence).toBeLessThan(0.995);
    expect(plan.with_values).toBeGreaterThanOrEqual(LIKELY);
    expect(plan.with_values).toBeLessThan(plan.confidence);
  });

  test('give a low confidence to a plan without the requested mail', async () => {
    const plan = await agent.plan({
      intent: `note the weather of Dublin in ${agent.file('dublin.txt')} and mail it to zoe@example.org with the subject "Dublin" and the text "See the file."`,
    });

    const isWhole = toolsOf(plan).join() === [...NOTE, 'mail:send_mail'].toSorted().join();
    expect(
      isWhole || plan.confidence < SURE,
      `${plan.confidence} for ${JSON.stringify(plan.tasks)}`,
    ).toBe(true);
  });

  test('give a low confidence to a plan that writes although the request is a question', async () => {
    const plan = await agent.plan({ intent: 'how is the weather in Oslo?' });

    const isRight = toolsOf(plan).join() === 'travel:find_city,travel:weather';
    expect(
      isRight || plan.confidence < SURE,
      `${plan.confidence} for ${JSON.stringify(plan.tasks)}`,
    ).toBe(true);
  });
});
