import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type TaskId, taskId } from '../../core/index.js';
import { type CandidateLink, chooseFlowLinks, type GivenDependency } from './choose-links.js';

const link = (from: string, to: string, score: number, param = 'x'): CandidateLink => ({
  from: taskId(from),
  to: taskId(to),
  param,
  score,
});
const pairs = (edges: readonly GivenDependency[]) => edges.map(({ from, to }) => `${from}${to}`);

test('a cycle of any length breaks at its weakest link, and chooseFlowLinks reports it', () => {
  const links = [
    link('a', 'b', 0.9),
    link('b', 'c', 0.5),
    link('c', 'd', 0.8),
    link('d', 'a', 0.7),
  ];

  const { chosen, broken } = chooseFlowLinks(links, []);

  expect(pairs(chosen).toSorted()).toEqual(['ab', 'cd', 'da']);
  expect(broken).toEqual([{ from: 'b', to: 'c', score: 0.5, cycle: ['b', 'c', 'd', 'a', 'b'] }]);
});

test('a link against a given dependency is left out, whatever its score', () => {
  const { chosen, broken } = chooseFlowLinks(
    [link('b', 'a', 0.99)],
    [{ from: taskId('a'), to: taskId('b') }],
  );

  expect(chosen).toEqual([]);
  expect(broken).toMatchObject([{ from: 'b', to: 'a' }]);
});

test('chooseFlowLinks keeps sources about as good as the best and drops worse ones', () => {
  const { chosen } = chooseFlowLinks(
    [link('a', 'z', 0.8), link('b', 'z', 0.75), link('c', 'z', 0.6)],
    [],
  );

  expect(pairs(chosen)).toEqual(['az', 'bz']);
});

test('the next best source replaces one that would close a cycle', () => {
  const links = [link('a', 'b', 0.9), link('b', 'a', 0.8), link('c', 'a', 0.5)];

  expect(pairs(chooseFlowLinks(links, []).chosen)).toEqual(['ab', 'ca']);
});

const names = 'abcdefgh'.split('').map(taskId);
const name = fc.constantFrom(...names);
const score = fc.integer({ min: 1, max: 20 }).map((n) => n / 20);
const someLinks = fc.uniqueArray(
  fc.record({ from: name, to: name, score }).filter(({ from, to }) => from !== to),
  { maxLength: 30, selector: ({ from, to }) => `${from}${to}` },
);
/** Given dependencies come from a plan that was checked: they have no cycle. */
const someGiven = fc.array(
  fc.record({ from: name, to: name }).filter(({ from, to }) => from < to),
  { maxLength: 8 },
);
/** One parameter a link, so that sources do not compete and only cycles take links away. */
const apart = (links: readonly CandidateLink[]) =>
  links.map((one) => ({ ...one, param: one.from as string }));

function reaches(edges: readonly GivenDependency[], from: TaskId, to: TaskId): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    for (const edge of edges) if (edge.from === at) seen.add(edge.to);
  }
  return seen.has(to);
}

describe('for any links and any given dependencies', () => {
  test('chooseFlowLinks leaves no cycle, whatever the links and dependencies', () => {
    fc.assert(
      fc.property(someLinks, someGiven, (links, given) => {
        const all = [...chooseFlowLinks(apart(links), given).chosen, ...given];

        for (const { from, to } of all) expect(reaches(all, to, from)).toBe(false);
      }),
    );
  });

  test('chooseFlowLinks drops only the weakest inferred link of each cycle', () => {
    fc.assert(
      fc.property(someLinks, someGiven, (links, given) => {
        const { chosen, broken } = chooseFlowLinks(apart(links), given);
        const fixed = new Set(pairs(given));
        const scores = new Map(links.map((one) => [`${one.from}${one.to}`, one.score]));

        expect(chosen.length + broken.length).toBe(links.length);
        for (const { from, to, score: own, cycle } of broken) {
          expect([cycle[0], cycle[1], cycle.at(-1)]).toEqual([from, to, from]);
          const steps = cycle.slice(1).map((task, place) => `${cycle[place]}${task}`);
          for (const step of steps.filter((edge) => !fixed.has(edge))) {
            expect(scores.get(step)).toBeGreaterThanOrEqual(own);
          }
        }
      }),
    );
  });

  test('chooseFlowLinks gives the same result for any order of links', () => {
    const shuffled = someLinks.chain((links) =>
      fc.tuple(fc.constant(links), fc.shuffledSubarray(links, { minLength: links.length })),
    );
    fc.assert(
      fc.property(shuffled, someGiven, ([links, others], given) => {
        expect(chooseFlowLinks(others, given.toReversed())).toEqual(chooseFlowLinks(links, given));
      }),
    );
  });
});
