import { expect, test } from 'vitest';

import { served } from '../../test/helpers/ready-discovery.js';
import { evidenceWith, noPlannables } from '../../test/helpers/suggest-evidence.js';
import { DEFAULT_MODELS } from './learn/models.js';
import { LINK_SIGNALS } from './links/link-signals.js';
import { outlinePlan } from './plan-outline.js';

const flow = { bindings: [{ from: 0, to: 1 }] };
const traces = Array.from({ length: 6 }, (_, place) =>
  served(`r${place}`, 'find and read', ['a:find', 'a:read'], flow),
);
const options = { models: DEFAULT_MODELS, plannable: noPlannables };

test('plan outline has the steps of similar runs in their order, with their links', () => {
  const evidence = evidenceWith({
    intent: 'find and read',
    traces,
    likely: { 'a:read': 0.9, 'a:find': 0.6, 'a:other': 0.02 },
    similar: { r0: 0.5, r1: 0.5 },
    trust: 0.9,
  });

  const { members, links, broken, others, expected } = outlinePlan(evidence, options);

  expect(members.map(({ tool }) => tool)).toEqual(['a:find', 'a:read']);
  expect(links).toMatchObject([{ from: 'a:find', to: 'a:read' }]);
  expect(links[0]!.probability).toBeGreaterThan(0.5);
  expect(broken).toEqual([]);
  expect(others.map(({ tool }) => tool)).toEqual(['a:other']);
  expect(expected).toBeGreaterThan(0.8);
});

test('tool waits for the tool whose values it takes, whatever the likeliest order', () => {
  const evidence = evidenceWith({ traces, likely: { 'a:find': 0.9, 'a:read': 0.9 } });
  // Only the absence of a flow speaks for a link.
  const links = Float64Array.from(LINK_SIGNALS, (name) => (name === 'flowed' ? -5 : 0));

  const shape = outlinePlan(evidence, { ...options, models: { ...DEFAULT_MODELS, links } });

  expect(shape.links).toMatchObject([{ from: 'a:read', to: 'a:find' }]);
  expect(shape.members.map(({ tool }) => tool)).toEqual(['a:read', 'a:find']);
});

test('plan outline is empty if nothing is likely', () => {
  expect(outlinePlan(evidenceWith({}), options)).toEqual({
    members: [],
    links: [],
    broken: [],
    others: [],
    expected: 0,
  });
});
