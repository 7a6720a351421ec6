/** `pml_execute_workflow` with an intent and mode "run": what reaches servers, and what does not. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { GuessAgent } from '../helpers/guess-servers.js';

const CITIES = ['Lisbon', 'Paris', 'Rome', 'Madrid', 'Berlin', 'Prague'];
const TAUGHT = 30;

let agent: GuessAgent;

beforeAll(async () => {
  agent = await GuessAgent.connect({ servers: ['travel', 'mail'] });
  for (let count = 0; count < TAUGHT; count++) {
    const city = CITIES[count % CITIES.length]!;
    const isMail = count % 3 === 0;
    const { status } = await (isMail ? mail(city) : weather(city));
    if (status !== 'completed') throw new Error(`the example did not work: ${status}`);
  }
  await agent.remembered(TAUGHT);
});
afterAll(() => agent[Symbol.asyncDispose]());

function weather(city: string) {
  return agent.run({
    intent: `get the weather of the city ${city}`,
    tasks: [
      { id: 'city', tool: 'travel:find_city', args: { name: city } },
      { id: 'sky', tool: 'travel:weather', args: { city_id: '${city.city_id}' } },
    ],
  });
}

function mail(city: string) {
  const args = { to: `${city.toLowerCase()}@example.org`, subject: 'Hello', body: `To ${city}` };
  return agent.run({
    intent: `send a mail to ${args.to} with the subject "Hello" and the text "${args.body}"`,
    tasks: [{ id: 'mail', tool: 'mail:send_mail', args }],
  });
}

// covers: RUN-INTENT
test('a sure plan that only reads is run, with what PML filled in named in the answer', async () => {
  const before = agent.calls.length;

  const done = await agent.run({ intent: 'get the weather of the city Vienna', mode: 'run' });

  expect(done).toMatchObject({ status: 'completed' });
  const made = agent.calls.slice(before).map(({ tool }) => tool);
  expect(made).toEqual(['travel:find_city', 'travel:weather']);
  expect(done.filled?.join('\n')).toContain('"Vienna"');
  expect(done.filled?.join('\n')).toMatch(/city_id ← .*city_id/);
});

// covers: RUN-INTENT
test.each([
  'send a mail to zoe@example.org with the subject "Hello" and the text "To Oslo"',
  'get the weather of the city Oslo and send a mail to zoe@example.org',
  'get the weather',
  'archive the parking permits',
])('%s is answered with a plan and why it was not run', async (intent) => {
  const before = agent.calls;

  const { value } = await agent.call('pml_execute_workflow', { intent, mode: 'run' });

  expect(value).toMatchObject({ status: 'suggested', why_not_run: expect.any(String) });
  expect(agent.calls).toEqual(before);
});
