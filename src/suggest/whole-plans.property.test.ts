import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyCapabilities, anyTrace } from '../../test/helpers/graph-samples.js';
import { evidenceWith, noPlannables } from '../../test/helpers/suggest-evidence.js';
import { DEFAULT_MODELS } from './learn/models.js';
import { withWholes } from './members/whole-capabilities.js';
import { addMissing, type MissingInput } from './missing-steps.js';
import { type PlanOutline, outlinePlan } from './plan-outline.js';

const NAMES = ['a:one', 'a:two', 'b:three', 'cap:x', 'cap:y', 'cap:z'];
const anyTool = fc.constantFrom(...NAMES);
const anyChance = fc.double({ min: 0, max: 1, noNaN: true });
const anyCase = fc.record({
  traces: fc
    .array(anyTrace, { minLength: 3, maxLength: 8 })
    .map((all) => all.map((trace, place) => ({ ...trace, id: `r${place}` }))),
  capabilities: anyCapabilities,
  likely: fc.dictionary(anyTool, fc.double({ min: 0.3, max: 1, noNaN: true }), { minKeys: 2 }),
  similar: fc.dictionary(fc.constantFrom('r0', 'r1', 'r2'), anyChance),
  trust: anyChance,
  gone: fc.subarray(NAMES, { maxLength: 2 }),
  /** What is lacking in any plan with such a tool, unless one of the others is in it. */
  lacking: fc.dictionary(anyTool, fc.array(anyTool, { maxLength: 2 })),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

function planOf({ capabilities, lacking, ...parts }: Case) {
  const evidence = evidenceWith(parts);
  evidence.graph.setCapabilities(capabilities);
  const chosen = outlinePlan(evidence, { models: DEFAULT_MODELS, plannable: noPlannables });
  const whole = withWholes(chosen, evidence);
  const holesOf = ({ members }: PlanOutline) => {
    const there = new Set<string>(members.map(({ tool }) => tool));
    const holes = members.flatMap(({ tool }): MissingInput[] => {
      const givers = lacking[tool];
      return givers && !givers.some((giver) => there.has(giver)) ? [{ tool, param: 'x' }] : [];
    });
    return { holes };
  };
  const isUsable = (tool: string) => !tool.startsWith('code:') && !parts.gone.includes(tool);
  const added = addMissing(whole, { evidence, isUsable, fill: holesOf });
  return { chosen, whole, ...added, before: holesOf(whole).holes.length };
}

test('no plan with capabilities and added steps has a cycle, a tool twice or one that is not there', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const { whole, shape } = planOf(one);

      for (const { members, links, broken, others } of [whole, shape]) {
        const place = new Map(members.map(({ tool }, at) => [tool, at]));
        expect(place.size).toBe(members.length);
        for (const { tool } of [...members, ...others]) expect(one.gone).not.toContain(tool);
        const pairs = links.map(({ from, to }) => `${from} ${to}`);
        expect(new Set(pairs).size).toBe(pairs.length);
        // An order in which every link goes forward is what a cycle does not have.
        for (const { from, to } of links) expect(place.get(from)).toBeLessThan(place.get(to)!);
        for (const { probability } of [...members, ...links, ...broken]) {
          expect(probability).toBeGreaterThanOrEqual(0);
          expect(probability).toBeLessThanOrEqual(1);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('steps are added only where less is missing then, and take nothing away', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const { whole, shape, tried, before } = planOf(one);

      const isLonger = shape !== whole;
      expect(tried.holes.length < before).toBe(isLonger);
      const known = new Set([
        ...whole.members.map(({ tool }) => tool),
        ...(shape.paths ?? []).flatMap(({ nodes }) => nodes),
        ...(shape.wholes ?? []).map(({ capability }) => capability),
      ]);
      for (const { tool } of shape.members) expect(known).toContain(tool);
    }),
    { numRuns: 150 },
  );
});

test('a plan is never more than it was for being put together otherwise', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const { chosen, whole } = planOf(one);

      expect(whole.members.length).toBeLessThanOrEqual(chosen.members.length);
      expect(whole.members.length > 0).toBe(chosen.members.length > 0);
      const tools = whole.members.map(({ tool }) => tool);
      for (const { instead } of whole.wholes ?? []) {
        for (const tool of instead) expect(tools).not.toContain(tool);
      }
    }),
    { numRuns: 150 },
  );
});
