import { describe, expect, test } from 'vitest';

import { type JsonObject, parseToolId, type Task, taskId, type ToolId } from '../../core/index.js';
import type { FilledPlan } from '../../planner/index.js';
import type { Suggestion } from '../../suggest/index.js';
import { dropNeedless } from './drop-needless.js';

interface Step {
  readonly chance: number;
  readonly args: JsonObject;
  /** Where the request asks for it. */
  readonly place?: number;
}

const toolOf = (name: string): ToolId => parseToolId(`s:${name}`).id;

/** The names of the steps that stay. */
function left(intent: string, steps: Readonly<Record<string, Step>>): readonly string[] {
  const names = Object.keys(steps);
  const fill = ({ members }: Suggestion): FilledPlan => {
    const own = members.map(({ tool }) => parseToolId(tool).tool);
    const tasks = own.map((name): Task => {
      const needs = own.filter((other) => other !== name).map(taskId);
      return { id: taskId(name), tool: toolOf(name), args: steps[name]!.args, needs };
    });
    return { plan: { tasks }, holes: [] } as unknown as FilledPlan; // Nothing else of it is read.
  };
  const suggestion = {
    members: names.map((name) => ({ tool: toolOf(name), probability: steps[name]!.chance })),
    others: [],
    links: [],
    broken: [],
    evidence: {
      likely: names.map((name) => ({ tool: toolOf(name), place: steps[name]!.place })),
    },
  } as unknown as Suggestion; // Nothing else of it is read.
  const { filled } = dropNeedless({ suggestion, filled: fill(suggestion) }, { intent, fill });
  return filled.plan.tasks.map(({ id }) => id);
}

describe('a step that is more likely unwanted than wanted', () => {
  const list = { chance: 0.97, args: { from: 'Ann Lee' } };
  const read = { chance: 0.45, args: { id: { $ref: 'list.id' } } };

  test('an unlikely step is dropped if no step takes its result', () => {
    expect(left('list the mails from Ann Lee', { list, read })).toEqual(['list']);
  });

  test('an unlikely step stays if a step that stays takes its result', () => {
    const steps = { list: { ...list, chance: 0.3 }, read: { ...read, chance: 0.9 } };

    expect(left('read the mail from Ann Lee', steps)).toEqual(['list', 'read']);
  });

  test('an unlikely step stays if it alone takes a value of the request', () => {
    const write = { chance: 0.3, args: { path: '/tmp/x.txt' } };

    const steps = left('mails from Ann Lee into /tmp/x.txt', { list, write });

    expect(steps).toEqual(['list', 'write']);
  });

  test('an unlikely step is dropped together with the steps that only it needed', () => {
    const find = { chance: 0.4, args: { name: 'Ann Lee' } };
    const send = { chance: 0.45, args: { to: { $ref: 'find.mail' } } };

    expect(left('list the mails from Ann Lee', { list, find, send })).toEqual(['list']);
  });

  test('an unlikely step stays if it is the only step', () => {
    expect(left('mails from Ann Lee', { list: { ...list, chance: 0.2 } })).toEqual(['list']);
  });
});

describe('steps that take only what likelier steps take', () => {
  const find = { chance: 0.66, args: { name: 'Ann Lee' } };
  const send = { chance: 0.7, args: { to: { $ref: 'find.mail' }, text: 'Hello.' } };
  const list = { chance: 0.64, args: { from: 'Ann Lee' } };
  const read = { chance: 0.6, args: { id: { $ref: 'list.id' } } };

  test('steps that take only values of likelier steps are dropped together', () => {
    const steps = left('mail Ann Lee "Hello."', { list, read, find, send });

    expect(steps).toEqual(['find', 'send']);
  });

  test('steps that take only values of likelier steps stay if they are likely by themselves', () => {
    const steps = { list: { ...list, chance: 0.95 }, find, send };

    expect(left('mail Ann Lee "Hello."', steps)).toEqual(['list', 'find', 'send']);
  });

  test('steps that take only values of likelier steps stay if the request asks for them elsewhere', () => {
    const steps = { list: { ...list, place: 0 }, find, send: { ...send, place: 1 } };

    expect(left('list the mails from Ann Lee and tell her "Hello."', steps)).toHaveLength(3);
  });

  test('steps that take only values of likelier steps stay if the request says the value twice', () => {
    const intent = 'list the mails from Ann Lee and tell Ann Lee "Hello."';

    expect(left(intent, { list, find, send })).toHaveLength(3);
  });

  test('a likely step is dropped if a likelier one takes the same text, which the request says once', () => {
    const issue = { chance: 0.85, args: { repo: 'a/b', body: 'Fixed.' } };
    const comment = { chance: 0.9, args: { repo: 'a/b', body: 'Fixed.', number: 12 } };

    expect(left('say "Fixed." on issue 12 of a/b', { issue, comment })).toEqual(['comment']);
  });
});
