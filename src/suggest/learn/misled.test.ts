import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import type { ToolId } from '../../core/index.js';
import { MISLED, withOtherRuns } from './misled.js';
import type { PlanExample } from './replay-plans.js';

const TOOLS = ['a:one', 'a:two', 'a:three', 'a:four'].map(id);
const evidence = evidenceWith({});
const signals = new Float64Array(1);

/** A request of its own group that one tool served, with all tools as candidates. */
function example(place: number, tool: ToolId, done: ToolId): PlanExample {
  const isRight = TOOLS.map((one) => one === tool);
  const candidates = TOOLS.map(() => signals);
  const pairs = TOOLS.flatMap((from) => TOOLS.map((to) => ({ from, to, signals })));
  const links = {
    weighed: pairs,
    candidates: pairs.map(() => signals),
    isRight: pairs.map(({ from, to }) => from === done && to === tool),
  };
  return {
    fold: place % 3,
    group: `g${place}`,
    evidence,
    plan: {
      id: `r${place}`,
      group: `g${place}`,
      intent: '',
      ok: true,
      tools: [tool],
      steps: [done, tool],
      rejected: [],
    },
    members: { weighed: TOOLS.map((one) => ({ tool: one, signals })), candidates, isRight },
    links,
    next: [{ done: [done], tools: TOOLS, candidates, isRight }],
  };
}

const EXAMPLES = Array.from({ length: 400 }, (_, place) =>
  example(place, TOOLS[place % 4]!, TOOLS[(place + 1) % 4]!),
);

/** The share of examples whose right answer is still right. */
function stillRight(rightOf: (one: PlanExample) => readonly boolean[], name: 'members' | 'next') {
  const misled = MISLED[name](EXAMPLES, 1);
  const same = misled.filter((one, at) => rightOf(one)[rightOf(EXAMPLES[at]!).indexOf(true)]);
  return same.length / misled.length;
}

describe('answers that say nothing', () => {
  test('members of the control are right as often as chance, and not systematically wrong', () => {
    const share = stillRight(({ members }) => members.isRight, 'members');

    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.35);
  });

  // covers: GATE-CONTROL
  test('runs change places, so the control knows as well as the candidate which tools are usual', () => {
    const served = (some: readonly PlanExample[]) => some.map(({ plan }) => plan.id).toSorted();

    const misled = withOtherRuns(EXAMPLES, 1);

    expect(served(misled)).toEqual(served(EXAMPLES));
    expect(misled.every(({ plan, group }) => plan.group !== group)).toBe(true);
    expect(withOtherRuns(EXAMPLES, 2)).not.toEqual(misled);
  });

  test('next steps of the control are right as often as chance, and not systematically wrong', () => {
    const share = stillRight(({ next }) => next[0]!.isRight, 'next');

    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.35);
  });

  test('the control of next steps never learns from the group of the request', () => {
    const all = EXAMPLES.map((one) => ({ ...one, group: 'g' }));

    expect(MISLED.next(all, 1).every(({ next }) => !next[0]!.isRight.includes(true))).toBe(true);
  });

  test('the control of links keeps the shape of a plan, with its tools in other places', () => {
    const misled = MISLED.links(EXAMPLES, 1);

    const moved = misled.filter(
      ({ links }, at) =>
        links!.isRight.indexOf(true) !== EXAMPLES[at]!.links!.isRight.indexOf(true),
    );
    expect(misled.every(({ links }) => links!.isRight.filter(Boolean).length === 1)).toBe(true);
    expect(moved.length).toBeGreaterThan(200);
  });
});
