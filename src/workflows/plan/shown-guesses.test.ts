import { expect, test } from 'vitest';

import {
  parseToolId,
  type JsonObject,
  principal,
  type Task,
  taskId,
  THE_USER,
} from '../../core/index.js';
import { ShownGuesses, viewerOf } from './shown-guesses.js';

const because = 'names fit';
const GUESS = { source: 'inferred', score: 0.8, because } as const;
const LITERAL = { source: 'literal', score: 0.7, because } as const;
const ANN = 'session ann';
const BOB = 'session bob';

const find = (id = 'a'): Task => {
  return { id: taskId(id), tool: parseToolId('s:find').id, args: { q: 'x' }, needs: [] };
};
const send = (args: JsonObject, needs = ['a'], guessed?: Task['guessed']): Task => ({
  id: taskId('b'),
  tool: parseToolId('s:send').id,
  args,
  needs: needs.map(taskId),
  ...(guessed && { guessed }),
});
const SHOWN = [
  find(),
  send({ to: { $ref: 'a.id' }, text: 'Vienna', o: { unit: 'c' } }, ['a'], {
    to: GUESS,
    text: LITERAL,
    'o.unit': LITERAL,
  }),
];
const guessedOf = (tasks: readonly Task[]) => tasks.at(-1)?.guessed;
const seen = { confirmed: 'seen' };

function shownTo(who = ANN, tasks: readonly Task[] = SHOWN, intent?: string): ShownGuesses {
  const shown = new ShownGuesses();
  shown.remember(who, { tasks, intent });
  return shown;
}

test('values that the client sends from a shown plan count as guesses that it saw', () => {
  const tasks = [find('z'), send({ to: '${z.id}', text: 'Vienna', o: { unit: 'c' } }, ['z'])];

  expect(guessedOf(shownTo().withSeen(ANN, { tasks }))).toEqual({
    to: { ...GUESS, ...seen },
    text: { ...LITERAL, ...seen },
    'o.unit': { ...LITERAL, ...seen },
  });
});

test('other values, values of other viewers and values given by the client count as given', () => {
  const shown = shownTo();
  const other = [find(), send({ to: { $ref: 'a.name' }, text: 'Paris', o: { unit: 'f' } })];

  expect(shown.withSeen(ANN, { tasks: other })).toEqual(other);
  expect(shown.withSeen(BOB, { tasks: [find(), send({ text: 'Vienna' })] })).toEqual([
    find(),
    send({ text: 'Vienna' }),
  ]);
  expect(shown.withSeen(ANN, { tasks: [find()] })).toEqual([find()]);
});

test('a client that changes one value of a shown plan still passes on the other guesses', () => {
  const tasks = [find(), send({ to: { $ref: 'a.id' }, text: 'Vienna ', o: { unit: 'c' } })];

  expect(guessedOf(shownTo().withSeen(ANN, { tasks }))).toEqual({
    to: { ...GUESS, ...seen },
    'o.unit': { ...LITERAL, ...seen },
  });
});

test('guesses inside lists are recognised, also if the client adds items', () => {
  const item = (from: string) => ({ from, to: 'Bob Stone' });
  const shown = shownTo(ANN, [
    send({ edges: [item('Ann Lee')] }, [], { 'edges[0].from': LITERAL }),
  ]);

  const tasks = [send({ edges: [item('Ann Lee'), item('Cid')] }, [])];

  expect(guessedOf(shown.withSeen(ANN, { tasks }))).toEqual({
    'edges[0].from': { ...LITERAL, ...seen },
  });
});

test.each([
  ['in brackets', { to: { $ref: 'z["id"]' } }],
  ['as a placeholder', { to: '${z.id}' }],
])('a reference of a shown plan is recognised %s', (_, args) => {
  const tasks = [find('z'), send(args, ['z'])];

  expect(guessedOf(shownTo().withSeen(ANN, { tasks }))).toHaveProperty('to');
});

test('a text with a reference is recognised if the task has another id', () => {
  const shown = shownTo(ANN, [find(), send({ text: 'Hi ${a.name}!' }, ['a'], { text: GUESS })]);

  const tasks = [find('z'), send({ text: 'Hi ${z.name}!' }, ['z'])];

  expect(guessedOf(shown.withSeen(ANN, { tasks }))).toHaveProperty('text');
});

test('a reference to a task of the run that gets new tasks is recognised', () => {
  const tasks = [send({ to: { $ref: 'old.id' } }, ['old'])];

  const own = shownTo().withSeen(ANN, { tasks, beside: [find('old')] });

  expect(guessedOf(own)).toHaveProperty('to');
});

test('tasks for a request that names other values count as given', () => {
  const shown = shownTo(ANN, SHOWN, 'mail "Vienna" to Ann Lee');
  const tasks = [find(), send({ to: { $ref: 'a.id' }, text: 'Rome' })];

  expect(shown.withSeen(ANN, { tasks, intent: 'mail "Rome" to Bob Stone' })).toEqual(tasks);
  for (const intent of [undefined, 'send the mail', 'now mail Ann Lee, please']) {
    expect(guessedOf(shown.withSeen(ANN, { tasks, intent }))).toHaveProperty('to');
  }
});

test('each of two plans that PML showed for different requests is recognised', () => {
  const shown = new ShownGuesses();
  const plan = (text: string) => [
    find(),
    send({ to: { $ref: 'a.id' }, text }, ['a'], { to: GUESS, text: LITERAL }),
  ];
  for (const city of ['Vienna', 'Rome']) {
    shown.remember(ANN, { tasks: plan(city), intent: `mail "${city}"` });
  }

  for (const city of ['Vienna', 'Rome']) {
    const tasks = [find(), send({ to: { $ref: 'a.id' }, text: city })];
    const own = guessedOf(shown.withSeen(ANN, { tasks, intent: `mail "${city}"` }));
    expect(Object.keys(own ?? {})).toEqual(['to', 'text']);
  }
});

test('ShownGuesses forgets a plan after a day, or after many others', () => {
  let now = 0;
  const shown = new ShownGuesses(() => now);
  const tasks = [find(), send({ text: 'Vienna' })];
  shown.remember(ANN, { tasks: SHOWN });
  now = 25 * 60 * 60_000;
  expect(guessedOf(shown.withSeen(ANN, { tasks }))).toBeUndefined();

  shown.remember(ANN, { tasks: SHOWN });
  for (let at = 0; at < 5_000; at++) {
    shown.remember(ANN, { tasks: [send({ text: `${at}` }, [], { text: LITERAL })] });
  }

  expect(guessedOf(shown.withSeen(ANN, { tasks }))).toBeUndefined();
});

test('viewers differ by session for the user, but not for a named client', () => {
  const viewer = (session: string, who = THE_USER) => viewerOf({ session, principal: who });
  const client = principal('client', 'x');

  expect(viewer('1')).not.toBe(viewer('2'));
  expect(viewer('1', client)).toBe(viewer('2', client));
});
