/** Requests for a capability that was learned for Lisbon, and what its parameters get. */
import { describe, expect, test } from 'vitest';

import { type JsonObject, type JsonValue, parseToolId, taskId } from '../../core/index.js';
import { BindingMemory } from '../flow/binding-memory.js';
import type { PlannableTool } from '../plannable-tool.js';
import { fillPlan } from './fill-plan.js';

const text = { type: 'string' };
const list = { type: 'array', items: text };
const capability = parseToolId('cap:noteWeather').id;

function filledWith(
  properties: JsonObject,
  { served, intent }: { readonly served: readonly string[]; readonly intent: string },
) {
  const tool: PlannableTool = {
    id: capability,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    provenBy: 3,
    served,
  };
  const task = { id: taskId('note'), tool: capability, args: {}, needs: [] };
  return fillPlan(
    { tasks: [task], open: new Set([task.id]) },
    { intent, tools: new Map([[capability, tool]]), memory: new BindingMemory() },
  );
}

const argsOf = ({ plan }: ReturnType<typeof filledWith>) => plan.tasks[0]!.args;

describe('a capability for one city', () => {
  const parameters = {
    path: { ...text, examples: ['/tmp/lisbon.txt'] },
    city: { ...text, examples: ['Lisbon'] },
  };
  const served = ['note the weather and cheap hotels of Lisbon in the file /tmp/lisbon.txt'];

  test.each([
    'note the weather and cheap hotels of Vienna in the file /tmp/vienna.txt',
    'note the weather of Vienna in /tmp/vienna.txt',
    'put into /tmp/vienna.txt what the weather in Vienna is',
    'write /tmp/vienna.txt about Vienna',
  ])('a capability for one city gets city and path from: %s', (intent) => {
    expect(argsOf(filledWith(parameters, { served, intent }))).toEqual({
      path: '/tmp/vienna.txt',
      city: 'Vienna',
    });
  });

  test('a request that names no city leaves the city open and shows the example', () => {
    const { holes, plan } = filledWith(parameters, {
      served,
      intent: 'note the weather and cheap hotels in the file /tmp/here.txt',
    });

    expect(plan.tasks[0]?.args).toEqual({ path: '/tmp/here.txt' });
    expect(holes).toEqual([
      { task: 'note', param: 'city', type: 'string', hint: 'learned with "Lisbon"' },
    ]);
  });

  test('a city in lower case is shown as a hint and not used', () => {
    const intent = 'note the weather and cheap hotels of vienna in the file /tmp/vienna.txt';

    const { holes } = filledWith(parameters, { served, intent });

    expect(holes[0]?.hint).toMatch(/^perhaps "vienna" \(0\.40\).*; learned with "Lisbon"$/);
  });

  test('a request that names two cities leaves a parameter for one city open', () => {
    const intent = 'note the weather of Vienna and Graz in the file /tmp/both.txt';

    const { holes, plan } = filledWith(parameters, { served, intent });

    expect(plan.tasks[0]?.args).toEqual({ path: '/tmp/both.txt' });
    expect(holes).toMatchObject([{ param: 'city' }]);
  });
});

test('a capability for several cities gets all cities that the request lists', () => {
  const parameters = { cities: { ...list, examples: [['Lisbon', 'Porto']] as JsonValue } };
  const served = ['compare the weather in Lisbon and Porto'];
  const argsFor = (intent: string) => argsOf(filledWith(parameters, { served, intent }));

  expect(argsFor('weather in Vienna and Graz')).toEqual({ cities: ['Vienna', 'Graz'] });
  expect(argsFor('compare the weather in Vienna, Graz and Linz')).toEqual({
    cities: ['Vienna', 'Graz', 'Linz'],
  });
});

test('the only number of a request goes to the only numeric parameter', () => {
  const parameters = {
    city: { ...text, examples: ['Lisbon'] },
    limit: { type: 'integer', default: 2 },
  };
  const served = ['note cheap hotels of Lisbon'];
  const argsFor = (intent: string) => argsOf(filledWith(parameters, { served, intent }));

  expect(argsFor('note the 5 cheapest hotels of Oslo')).toEqual({ city: 'Oslo', limit: 5 });
  expect(argsFor('note 5 hotels of Oslo below 100')).toEqual({ city: 'Oslo', limit: 2 });
});

test('a default that past uses kept is a guess, and more uses make it likelier', () => {
  const parameters = { limit: { type: 'integer', default: 10 } };

  const { plan } = filledWith(parameters, { served: [], intent: 'note the weather' });

  expect(plan.tasks[0]).toMatchObject({
    args: { limit: 10 },
    guessed: { limit: { source: 'lifted default', score: 0.8 } },
  });
});
