import { describe, expect, test } from 'vitest';

import { type JsonObject, parseToolId, type Task, taskId, type ToolId } from '../../core/index.js';
import { KnowledgeGraph } from '../../graph/index.js';
import type { FilledPlan, Hole } from '../../planner/index.js';
import type { Suggestion, WeighedMember } from '../../suggest/index.js';
import { placeNamedValues } from './place-values.js';

const tool = (name: string): ToolId => parseToolId(`s:${name}`).id;
const member = (name: string, probability = 0.9): WeighedMember => {
  return { tool: tool(name), probability, signals: new Float64Array() };
};
const task = (name: string, args: JsonObject, before: readonly string[]): Task => {
  return { id: taskId(name), tool: tool(name), args, needs: before.map(taskId) };
};
const nameIn = ({ tool: id }: { readonly tool: ToolId }) => parseToolId(id).tool;

type Filling = Readonly<Record<string, JsonObject>>;

/** Fills the members of a plan as told for just these members. */
function filling(plans: Readonly<Record<string, Filling>>) {
  return ({ members }: Suggestion): FilledPlan => {
    const own = plans[members.map(nameIn).join(' ')] ?? {};
    const names = members.map(nameIn);
    const tasks = names.map((name, at) => task(name, own[name] ?? {}, names.slice(0, at)));
    const holes = members
      .filter((one) => own[nameIn(one)] === undefined)
      .map((one): Hole => ({ task: taskId(nameIn(one)), param: 'x', type: 'string' }));
    return { plan: { tasks }, holes } as unknown as FilledPlan; // Nothing else of it is read.
  };
}

function place(
  intent: string,
  members: readonly string[],
  plans: Readonly<Record<string, Filling>>,
  others: readonly WeighedMember[] = [],
): readonly string[] {
  const suggestion = {
    members: members.map((name) => member(name)),
    others,
    links: [],
    broken: [],
    evidence: { graph: new KnowledgeGraph(), likely: [] },
  } as unknown as Suggestion; // Nothing else of it is read.
  const fill = filling(plans);
  const { filled } = placeNamedValues(
    { suggestion, filled: fill(suggestion) },
    { intent, isReading: (id) => !nameIn({ tool: id }).startsWith('book'), fill },
  );
  return filled.plan.tasks.map(nameIn);
}

describe('a value that the request names and the plan ignores', () => {
  const BOOK = 'book the hotel H-2051';
  const LOOKED_UP = {
    city: { name: 'x' },
    hotels: { city: { $ref: 'city.id' } },
    book: { hotel: { $ref: 'hotels.id' } },
  };

  test('removes the steps that look it up, and what only they need', () => {
    const plans = { 'city hotels book': LOOKED_UP, book: { book: { hotel: 'H-2051' } } };

    expect(place(BOOK, ['city', 'hotels', 'book'], plans)).toEqual(['book']);
  });

  test('removes nothing if another step would lack a value then', () => {
    const plans = { 'city hotels book': LOOKED_UP };

    expect(place(BOOK, ['city', 'hotels', 'book'], plans)).toEqual(['city', 'hotels', 'book']);
  });

  test('removes no step that changes something', () => {
    const plans = {
      'book_trip pay': { book_trip: { name: 'x' }, pay: { bill: { $ref: 'book_trip.bill' } } },
      pay: { pay: { bill: 'H-2051' } },
    };

    expect(place('pay the bill H-2051', ['book_trip', 'pay'], plans)).toEqual(['book_trip', 'pay']);
  });

  test('adds the likeliest tool that takes it', () => {
    const save = { weather: { city: 'Rome' }, write: { path: '/out/rome.txt' } };
    const plans = {
      weather: { weather: { city: 'Rome' } },
      'weather list': { weather: { city: 'Rome' }, list: {} },
      'weather write': save,
    };
    const others = [member('list', 0.3), member('write', 0.2)];

    const tools = place('weather of Rome into /out/rome.txt', ['weather'], plans, others);

    expect(tools).toEqual(['weather', 'write']);
  });

  test('adds no tool that is unlikely', () => {
    const plans = {
      weather: { weather: { city: 'Rome' } },
      'weather write': { weather: { city: 'Rome' }, write: { path: '/out/rome.txt' } },
    };

    const tools = place('weather of Rome into /out/rome.txt', ['weather'], plans, [
      member('write', 0.05),
    ]);

    expect(tools).toEqual(['weather']);
  });
});

test('a plan that takes every value of the request stays as it is', () => {
  const plans = {
    'city hotels': { city: { name: 'Rome' }, hotels: { city: { $ref: 'city.id' } } },
  };

  expect(place('hotels in Rome', ['city', 'hotels'], plans)).toEqual(['city', 'hotels']);
});
