import { describe, expect, test } from 'vitest';

import { type JsonObject, parseToolId, taskId, type ToolId } from '../../core/index.js';
import type { FilledPlan } from '../arguments/fill-plan.js';
import { asksFor, changesAskedBy, changesNamedBy, isQuestion } from './asked-work.js';
import { misfitOf } from './capability-fit.js';

const id = (text: string): ToolId => parseToolId(text).id;

const NOTES = {
  examples: [
    'note the weather and cheap hotels of Lisbon in the file /tmp/lisbon.txt',
    'write down weather and hotels of Lisbon into /tmp/trip.txt',
  ],
  text: 'noteWeather note the weather and cheap hotels of Lisbon',
  tools: ['city:get_weather', 'city:find_hotels', 'files:write_file'].map(id),
  changing: [id('files:write_file')],
};

function filled(args: JsonObject, hint?: string): FilledPlan {
  return {
    plan: { tasks: [{ id: taskId('note'), tool: id('cap:noteWeather'), args, needs: [] }] },
    bindings: [],
    ambiguous: [],
    broken: [],
    holes:
      hint === undefined ? [] : [{ task: taskId('note'), param: 'city', type: 'string', hint }],
    values: [],
  };
}

const misfit = (intent: string, plan: FilledPlan, others: readonly string[] = []) =>
  misfitOf(NOTES, { intent, filled: plan, others: others.map(id) })?.why;

describe('a capability serves', () => {
  test.each<[intent: string, args: JsonObject]>([
    [
      'note the weather and cheap hotels of Vienna in /tmp/v.txt',
      { city: 'Vienna', path: '/tmp/v.txt' },
    ],
    ['save weather and hotels of Graz to /tmp/g.txt', { city: 'Graz', path: '/tmp/g.txt' }],
    ['make a note on the weather in Vienna today', { city: 'Vienna' }],
    ['record the weather of Lisbon', { city: 'Lisbon' }],
    ['weather and hotels of Vienna into /tmp/v.txt', { city: 'Vienna', path: '/tmp/v.txt' }],
  ])('%s', (intent, args) => {
    expect(misfit(intent, filled(args))).toBeUndefined();
  });

  test('a request whose value is shown beside the parameter that stays open', () => {
    const plan = filled({ path: '/tmp/v.txt' }, 'perhaps "Vienna" (0.40): a name');

    expect(misfit('note the weather of Vienna in /tmp/v.txt', plan)).toBeUndefined();
  });

  test('a request whose second part another task does', () => {
    const intent = 'note the weather of Vienna and mail it';

    expect(misfit(intent, filled({ city: 'Vienna' }), ['mail:send_mail'])).toBeUndefined();
  });

  test('a request for the change of its examples, together with changes that no example named', () => {
    const changing = ['files:create_directory', 'files:write_file'].map(id);
    const fits = (intent: string) =>
      misfitOf({ ...NOTES, changing }, { intent, filled: filled({ city: 'Vienna' }), others: [] })
        ?.why;

    expect(fits('jot down what Vienna is like')).toBeUndefined();
    expect(fits('How is Vienna?')).toContain('files:write_file');
  });

  test('a request that it served before, whatever tools it calls', () => {
    const quiet = { ...NOTES, examples: ['prepare the trip to Lisbon'] };
    const fits = (intent: string) =>
      misfitOf(quiet, { intent, filled: filled({ city: 'Vienna' }), others: [] })?.why;

    expect(fits('Prepare the trip to Lisbon.')).toBeUndefined();
    expect(fits('prepare my trip to Vienna')).toBeUndefined();
    expect(fits('How is the weather in Vienna?')).toContain('files:write_file');
  });
});

describe('a capability does not serve', () => {
  test.each<[intent: string, args: JsonObject, why: string]>([
    ['How is the weather in Paris?', { city: 'Paris' }, 'it calls files:write_file'],
    ['show me the note about Paris', { city: 'Paris' }, 'it calls files:write_file'],
    ['weather and hotels of Paris', { city: 'Paris' }, 'it calls files:write_file'],
    ['book me a hotel in Porto', { city: 'Porto' }, 'it calls files:write_file'],
    ['note the weather of Vienna and send it by mail', { city: 'Vienna' }, 'asks to send'],
    ['note the weather of Vienna and mail it', { city: 'Vienna' }, 'asks to send'],
    ['note the weather of Vienna and delete /tmp/old.txt', { city: 'Vienna' }, 'asks to delete'],
    [
      'note the weather of Vienna in /tmp/vienna.txt',
      { path: '/tmp/vienna.txt' },
      'takes `Vienna`',
    ],
    ['note the weather of Vienna and Graz', { city: 'Vienna' }, 'takes `Graz`'],
    ['note the weather of Vienna on 2026-12-24', { city: 'Vienna' }, 'takes `2026-12-24`'],
  ])('%s', (intent, args, why) => {
    expect(misfit(intent, filled(args))).toContain(why);
  });
});

test('quotes and paths ask for no change, and nouns do not if the request asks for information', () => {
  expect([...changesAskedBy('read "delete me" in /tmp/save.txt').possible]).toEqual([]);
  expect([...changesAskedBy('what did the last order cost').possible]).toEqual([]);
  expect([...changesAskedBy('the last order of Ann, with a note').possible]).toEqual([
    'book',
    'write',
  ]);
  expect([...changesAskedBy('look it up and mail Ann').clear]).toEqual(['send']);
});

test('the name of a tool announces its change', () => {
  const named = (tool: string) => [...changesNamedBy(id(tool))];

  expect(named('files:write_file')).toEqual(['write']);
  expect(named('mail:send_message')).toEqual(['send']);
  expect(named('city:get_weather')).toEqual([]);
  expect(named('shop:last_order')).toEqual([]);
  expect(named('shop:order_pizza')).toEqual(['book']);
});

test('a question that names no change only asks for information', () => {
  expect(isQuestion('what hotels are there in Rome')).toBe(true);
  expect(isQuestion('Paris: sunny?')).toBe(true);
  expect(isQuestion('can you book a hotel in Rome?')).toBe(false);
  expect(isQuestion('show me the hotels in Rome')).toBe(true);
  expect(isQuestion('list what Ann sent, and book a hotel in Rome')).toBe(false);
  expect(isQuestion('open an issue in acme/shop')).toBe(false);
  expect(isQuestion('note the weather in Rome')).toBe(false);
});

test('a request asks for a tool if it names the change or the result of the tool', () => {
  const intent = 'save the weather of Vienna and Graz to /tmp/v.txt';
  const asked = [...NOTES.tools].filter((tool) => asksFor(intent, tool));

  expect(asked).toEqual(['city:get_weather', 'files:write_file']);
});
