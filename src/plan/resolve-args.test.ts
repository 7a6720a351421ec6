import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type JsonObject, type JsonValue, serverName, taskId, toolId } from '../core/index.js';
import { resolveArgs } from './resolve-args.js';

const outputs = new Map<ReturnType<typeof taskId>, JsonValue>([
  [taskId('t1'), { items: [{ name: 'x', size: 3 }], 'odd key': true, none: null }],
  [taskId('text'), 'just prose'],
]);

const resolve = (args: JsonObject) =>
  resolveArgs(
    {
      id: taskId('me'),
      tool: toolId(serverName('a'), 'b'),
      args,
      needs: [taskId('t1'), taskId('text')],
    },
    outputs,
  );

describe('references', () => {
  test('a reference is replaced by its value and keeps the type', () => {
    const args = resolve({
      whole: { $ref: 'text' },
      size: { $ref: 't1.items[0].size' },
      dotted: { $ref: 't1.items.0.name' },
      quoted: { $ref: 't1["odd key"]' },
      none: { $ref: 't1.none' },
      sole: '${t1.items}',
      list: [{ deep: '${t1.items[0].name}' }],
    });

    expect(args).toEqual({
      whole: 'just prose',
      size: 3,
      dotted: 'x',
      quoted: true,
      none: null,
      sole: [{ name: 'x', size: 3 }],
      list: [{ deep: 'x' }],
    });
  });

  test('a reference inside text becomes text', () => {
    const args = resolve({ line: '${t1.items[0].name}=${t1.items} $${text} ${HOME} ${text}' });

    expect(args).toEqual({ line: 'x=[{"name":"x","size":3}] ${text} ${HOME} just prose' });
  });

  test.each([
    ['t1.item', 'Reference `t1.item`: t1 has no `item`; its keys: `items`, `odd key`, `none`'],
    ['t1.items[0].nam', 't1.items[0] has no `nam`; its keys: `name`, `size`'],
    ['t1.items[4]', 't1.items is an array of 1: no item `4`'],
    ['t1.items.length', 't1.items is an array of 1: no item `length`'],
    ['t1.none.x', 't1.none is `null`: it has no `x`'],
    ['text.title', 'text is text, not JSON ("just prose"): it has no `title`'],
    ['t1.constructor', 't1 has no `constructor`'],
  ])('the reference %s fails and the error says what exists', ($ref, problem) => {
    expect(() => resolve({ value: { $ref } })).toThrow(
      expect.objectContaining({
        code: 'REFERENCE_INVALID',
        message: expect.stringContaining(problem),
      }),
    );
  });
});

test('arguments without a reference stay unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      expect(resolve(args as JsonObject)).toEqual(args);
    }),
  );
});
