import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { aChain, id, withStructure } from '../../test/helpers/graph-samples.js';
import { taskId } from '../core/index.js';
import { shapesOf } from './capability-shape.js';
import { chainAsPlan, coverByCapabilities, type PlannedCall } from './cover-by-capabilities.js';

const aTask = (name: string, tool: string, needs: readonly string[] = []): PlannedCall => ({
  id: taskId(name),
  tool: id(tool),
  needs: needs.map(taskId),
});

/** `both` reads two files and packs them. */
const BOTH = withStructure('both', {
  nodes: ['fs:read', 'fs:read', 'zip:pack'].map((tool, place) => ({
    id: `n${place}`,
    kind: 'task',
    tool,
  })),
  edges: [
    { kind: 'sequence', from: 'n0', to: 'n1' },
    { kind: 'provides', from: 'n0', to: 'n2' },
    { kind: 'provides', from: 'n1', to: 'n2' },
  ],
});

describe('a chain', () => {
  const chain = chainAsPlan(['db:find', 'fs:read', 'zip:pack', 'net:upload', 'mail:send'].map(id));

  test('a chain is covered by capabilities that make exactly its calls, the larger one first', () => {
    const shapes = shapesOf([
      aChain('pack', ['fs:read', 'zip:pack']),
      aChain('backup', ['fs:read', 'zip:pack', 'net:upload']),
      aChain('tell', ['net:upload', 'mail:send']),
    ]);

    expect(coverByCapabilities(chain, shapes)).toEqual([
      { capability: 'cap:backup', tasks: ['2', '3', '4'] },
    ]);
  });

  test('a chain is not covered by a capability with more calls, another order, or only one call', () => {
    const shapes = shapesOf([
      aChain('more', ['fs:read', 'zip:pack', 'net:download']),
      aChain('turned', ['zip:pack', 'fs:read']),
      aChain('gap', ['fs:read', 'net:upload']),
      aChain('one', ['fs:read']),
    ]);

    expect(coverByCapabilities(chain, shapes)).toEqual([]);
  });

  test('a chain is not covered by code that may leave out a call or repeat it', () => {
    const nodes = [
      { id: 'n1', kind: 'task', tool: 'fs:read' },
      { id: 'n2', kind: 'loop' },
      { id: 'n3', kind: 'task', tool: 'zip:pack' },
    ];
    const edges = [{ kind: 'provides', from: 'n1', to: 'n3' }];

    expect(coverByCapabilities(chain, shapesOf([withStructure('loop', { nodes, edges })]))).toEqual(
      [],
    );
  });

  test('a chain is covered as often as the capability fits', () => {
    const twice = chainAsPlan(['fs:read', 'zip:pack', 'fs:read', 'zip:pack'].map(id));

    const covers = coverByCapabilities(twice, shapesOf([aChain('pack', ['fs:read', 'zip:pack'])]));

    expect(covers.map(({ tasks }) => tasks)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });
});

describe('a plan', () => {
  const plan = [
    aTask('a', 'fs:read'),
    aTask('b', 'fs:read'),
    aTask('c', 'zip:pack', ['a', 'b']),
    aTask('d', 'mail:send', ['c']),
  ];

  test('a plan is covered where values flow as they do in the capability', () => {
    expect(coverByCapabilities(plan, shapesOf([BOTH]))).toEqual([
      { capability: 'cap:both', tasks: ['a', 'b', 'c'] },
    ]);
  });

  test('a plan is not covered where a task outside needs a result from the middle', () => {
    const leaking = [...plan, aTask('e', 'log:note', ['a'])];

    expect(coverByCapabilities(leaking, shapesOf([BOTH]))).toEqual([]);
  });

  test('a plan is not covered where its calls are not connected', () => {
    const apart = [aTask('a', 'fs:read'), aTask('b', 'zip:pack')];
    const side = withStructure('side', {
      nodes: ['fs:read', 'zip:pack'].map((tool, n) => ({ id: `n${n}`, kind: 'task', tool })),
      edges: [{ kind: 'sequence', from: 'n0', to: 'n1' }],
    });

    expect(coverByCapabilities(apart, shapesOf([side]))).toEqual([]);
  });

  test('a plan is not covered where that would close a cycle, over one part or over two', () => {
    const around = [
      aTask('a', 'fs:read'),
      aTask('b', 'db:find', ['a']),
      aTask('c', 'zip:pack', ['a', 'b']),
    ];
    expect(coverByCapabilities(around, shapesOf([aChain('p', ['fs:read', 'zip:pack'])]))).toEqual(
      [],
    );

    const crossed = [
      aTask('a', 'x:a'),
      aTask('b', 'x:b', ['a', 'd']),
      aTask('c', 'x:c', ['e']),
      aTask('d', 'x:d', ['c']),
      aTask('e', 'x:e', ['a']),
    ];
    const shapes = shapesOf([aChain('p', ['x:a', 'x:b']), aChain('q', ['x:c', 'x:d'])]);
    expect(coverByCapabilities(crossed, shapes)).toEqual([
      { capability: 'cap:q', tasks: ['c', 'd'] },
    ]);
  });

  test('a covered plan of any shape can still be ordered, and no call is covered twice', () => {
    const tools = ['x:a', 'x:b', 'x:c'];
    const plans = fc
      .array(fc.tuple(fc.constantFrom(...tools), fc.array(fc.nat(7), { maxLength: 3 })), {
        maxLength: 8,
      })
      .map((all) =>
        all.map(([tool, needs], place) =>
          aTask(`${place}`, tool, [...new Set(needs)].filter((need) => need < place).map(String)),
        ),
      );
    const capabilities = fc
      .array(fc.array(fc.constantFrom(...tools), { minLength: 2, maxLength: 3 }), { maxLength: 4 })
      .map((all) => shapesOf(all.map((calls, n) => aChain(`c${n}`, calls))));
    fc.assert(
      fc.property(plans, capabilities, (made, shapes) => {
        const covers = coverByCapabilities(made, shapes);
        const covered = covers.flatMap(({ tasks }) => tasks);

        expect(new Set(covered).size).toBe(covered.length);
        for (const { capability, tasks } of covers) {
          const calls = tasks.map((task) => made.find(({ id: one }) => one === task)?.tool);
          expect(calls).toEqual(shapes.find((shape) => shape.id === capability)?.calls);
        }
        expect(
          isOrderable(
            made,
            covers.map(({ tasks }) => tasks),
          ),
        ).toBe(true);
      }),
    );
  });
});

/** Runs steps whose needs are done until no step is left, or none can run. */
function isOrderable(plan: readonly PlannedCall[], parts: readonly (readonly string[])[]): boolean {
  const partOf = (task: string) => parts.find((part) => part.includes(task)) ?? [task];
  const done = new Set<string>();
  for (let before = -1; before < done.size;) {
    before = done.size;
    for (const { id: task } of plan) {
      const part = partOf(task);
      const needs = plan.filter(({ id: one }) => part.includes(one)).flatMap((one) => one.needs);
      if (needs.every((need) => done.has(need) || part.includes(need))) {
        for (const one of part) done.add(one);
      }
    }
  }
  return done.size === plan.length;
}
