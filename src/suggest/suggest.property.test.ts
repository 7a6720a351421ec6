import fc from 'fast-check';
import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { evidenceWith, noPlannables } from '../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../core/index.js';
import { membersConfidence } from './confidence.js';
import { DEFAULT_MODELS } from './learn/models.js';
import { linkSignals } from './links/link-signals.js';
import { memberSignals } from './members/member-signals.js';
import { nextSignals } from './next/next-signals.js';
import { predictNext } from './next/predict-next.js';
import { outlinePlan } from './plan-outline.js';

const NAMES = ['a:find', 'a:read', 'a:gone', 'b:send_mail', 'b:gone', 'cap:report', 'code:map'];
const GONE = ['a:gone', 'b:gone'];
const anyTool = fc.constantFrom(...NAMES);

/** Executions with anything in them: loops, calls of themselves, values from nowhere. */
const anyRun = fc.record({
  intent: fc.constantFrom('', 'find and read', 'send the mail', 'read read read'),
  ok: fc.boolean(),
  calls: fc.array(
    fc.record(
      { tool: anyTool.map(id), ok: fc.boolean(), parent: fc.nat(6) },
      { requiredKeys: ['tool', 'ok'] },
    ),
    { maxLength: 8 },
  ),
  bindings: fc.array(fc.record({ from: fc.nat(9), to: fc.nat(9) }), { maxLength: 6 }),
});
const anyChance = fc.double({ min: 0, max: 1, noNaN: true });
const anyParts = fc.record({
  intent: fc.oneof(fc.constantFrom('', 'find and read', 'send mail, then read'), fc.string()),
  traces: fc.array(anyRun, { maxLength: 8 }).map((all) =>
    all.map((run, place): ExecutionTrace => {
      return { ...run, id: `r${place}`, at: new Date(place), source: 'live' };
    }),
  ),
  likely: fc.dictionary(anyTool, anyChance, { maxKeys: 6 }).map((all) => {
    return Object.fromEntries(Object.entries(all).toSorted(([, a], [, b]) => b - a));
  }),
  similar: fc.dictionary(
    fc.constantFrom('r0', 'r1', 'r2', 'nowhere'),
    fc.double({ min: 0, max: 0.25, noNaN: true }),
  ),
  trust: anyChance,
  now: fc.nat(1_000),
  gone: fc.constant(GONE),
});
const anyDone = fc.array(anyTool.map(id), { maxLength: 5 });
const serverTools = () => NAMES.map(id);
const options = { models: DEFAULT_MODELS, plannable: noPlannables };

test('no plan has a cycle, a tool that is not there, or a tool twice', () => {
  fc.assert(
    fc.property(anyParts, (parts) => {
      const { members, links, others } = outlinePlan(evidenceWith(parts), options);
      const tools = members.map(({ tool }) => tool);
      const place = new Map(tools.map((tool, at) => [tool, at]));

      expect(place.size).toBe(tools.length);
      for (const tool of [...tools, ...others.map((one) => one.tool)]) {
        expect(GONE).not.toContain(tool);
      }
      // An order in which every link goes forward is what a cycle does not have.
      for (const { from, to } of links) expect(place.get(from)).toBeLessThan(place.get(to)!);
    }),
  );
});

test('all that is said of chances is within 0 and 1', () => {
  fc.assert(
    fc.property(anyParts, anyDone, (parts, done) => {
      const evidence = evidenceWith(parts);
      const shape = outlinePlan(evidence, options);
      const { members, links, broken, others, expected } = shape;
      const steps = predictNext(done, evidence, {
        weights: DEFAULT_MODELS.next,
        serverTools,
        members: DEFAULT_MODELS.members,
      });
      const confidence = membersConfidence(shape, evidence, DEFAULT_MODELS);

      for (const { probability } of [...members, ...links, ...broken, ...others, ...steps]) {
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
      for (const chance of [expected, confidence]) {
        expect(chance).toBeGreaterThanOrEqual(0);
        expect(chance).toBeLessThanOrEqual(1);
      }
      const sum = steps.reduce((total, { probability }) => total + probability, 0);
      expect(sum).toBeCloseTo(steps.length > 0 ? 1 : 0, 9);
    }),
  );
});

test('every signal is a number', () => {
  fc.assert(
    fc.property(anyParts, anyDone, (parts, done) => {
      const evidence = evidenceWith(parts);
      const tools = [...new Set(NAMES.map(id))];
      const all = [
        ...memberSignals(evidence),
        ...linkSignals(tools, evidence, options).links,
        ...nextSignals(done, evidence, { serverTools }),
      ];

      for (const { signals } of all) {
        expect([...signals].filter((value) => !Number.isFinite(value))).toEqual([]);
      }
    }),
  );
});

test('the same question is answered the same', () => {
  fc.assert(
    fc.property(anyParts, anyDone, (parts, done) => {
      const answer = () => {
        const evidence = evidenceWith(parts);
        const steps = predictNext(done, evidence, {
          weights: DEFAULT_MODELS.next,
          serverTools,
          members: DEFAULT_MODELS.members,
        });
        return { shape: outlinePlan(evidence, options), steps };
      };

      expect(answer()).toEqual(answer());
    }),
  );
});

test('a run of a hundred steps, some of them the same over and over, is a run like others', () => {
  const calls = Array.from({ length: 100 }, (_, place) => {
    return { tool: id(place % 3 ? `a:step${place}` : 'a:again'), ok: true };
  });
  const bindings = calls.slice(1).map((_, place) => ({ from: place, to: place + 1 }));
  const trace: ExecutionTrace = {
    id: 'long',
    intent: 'do it all',
    at: new Date(0),
    source: 'live',
    ok: true,
    calls,
    bindings,
  };
  const evidence = evidenceWith({
    intent: 'do it all',
    traces: [trace],
    likely: { 'a:again': 0.5 },
    similar: { long: 1 },
    trust: 1,
  });

  const { members, links } = outlinePlan(evidence, options);
  const steps = predictNext(
    calls.map(({ tool }) => tool),
    evidence,
    { weights: DEFAULT_MODELS.next, members: DEFAULT_MODELS.members, serverTools },
  );

  expect(members.length).toBeGreaterThan(0);
  expect(members.length).toBeLessThanOrEqual(25);
  expect(links.every(({ from, to }) => from !== to)).toBe(true);
  expect(steps.length).toBeGreaterThan(0);
});
