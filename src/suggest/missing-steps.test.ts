import { describe, expect, test } from 'vitest';

import { aChain, id } from '../../test/helpers/graph-samples.js';
import { shapeOf } from '../../test/helpers/plan-shapes.js';
import { served } from '../../test/helpers/ready-discovery.js';
import { evidenceWith } from '../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace, ToolId } from '../core/index.js';
import { addMissing, type MissingInput } from './missing-steps.js';
import type { PlanOutline } from './plan-outline.js';

/** Steps of a run, each with the parameter that took the result of the step before. */
function run(name: string, ...steps: readonly string[]): ExecutionTrace {
  const [first = '', ...later] = steps.map((step) => step.split(' '));
  const bindings = later.map(([, param = ''], place) => {
    return { from: place, to: place + 1, field: param, param };
  });
  return served(
    name,
    name,
    [first, ...later].flatMap(([tool = '']) => [tool]),
    { bindings },
  );
}

const PAST = [
  run('a', 'shop:find', 'shop:order customer', 'shop:price order'),
  run('b', 'shop:find', 'shop:order customer', 'post:track order'),
  run('c', 'shop:order', 'post:track order'),
];

/** The required parameters of each tool, and the tools that can supply them. */
const NEEDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'shop:order': { customer: ['shop:find'] },
  'shop:price': { order: ['shop:order'] },
  'post:track': { order: ['shop:order', 'cap:last'] },
  'shop:find': { email: [] },
  'mail:letter': { text: ['cap:quote'], stamp: [] },
};

interface Case {
  readonly said?: readonly string[];
  readonly traces?: readonly ExecutionTrace[];
  readonly capabilities?: readonly ReturnType<typeof aChain>[];
  readonly unusable?: readonly string[];
}

function complete(
  shape: PlanOutline,
  { said = ['email'], traces = PAST, capabilities = [], unusable = [] }: Case = {},
) {
  const evidence = evidenceWith({ traces });
  evidence.graph.setCapabilities(capabilities);
  let fills = 0;
  const { shape: plan, tried } = addMissing(shape, {
    evidence,
    isUsable: (tool: ToolId) => !unusable.includes(tool),
    fill({ members }) {
      fills += 1;
      const there = members.map(({ tool }) => tool as string);
      const holes = members.flatMap(({ tool }): MissingInput[] =>
        Object.entries(NEEDS[tool] ?? {})
          .filter(([param]) => !said.includes(param))
          .filter(([, givers]) => !givers.some((giver) => there.includes(giver)))
          .map(([param]) => ({ tool, param })),
      );
      return { holes };
    },
  });
  return {
    plan,
    fills,
    tools: plan.members.map(({ tool }) => tool),
    links: plan.links.map(({ from, to }) => `${from} > ${to}`),
    holes: tried.holes.map(({ tool, param }) => `${tool}.${param}`),
  };
}

describe('a member that lacks a value', () => {
  test('member that lacks a value gets its giver, and the giver of what that one needs', () => {
    const { plan, tools, links, holes } = complete(shapeOf({ 'post:track': 0.8 }));

    expect(tools).toEqual(['shop:find', 'shop:order', 'post:track']);
    expect(links.toSorted()).toEqual(['shop:find > shop:order', 'shop:order > post:track']);
    expect(holes).toEqual([]);
    expect(plan.paths).toEqual([
      {
        nodes: ['shop:find', 'shop:order', 'post:track'],
        added: ['shop:find', 'shop:order'],
        param: 'order',
      },
    ]);
    for (const { probability } of plan.members) expect(probability).toBe(0.8);
  });

  test('member that lacks a value gets the steps between it and an existing member', () => {
    const shape = shapeOf({ 'post:track': 0.8, 'shop:find': 0.7 }, []);

    const { plan, tools, links } = complete(shape);

    expect(tools).toEqual(['shop:find', 'shop:order', 'post:track']);
    expect(links).toEqual(expect.arrayContaining(['shop:order > post:track']));
    expect(plan.paths).toMatchObject([{ added: ['shop:order'], param: 'order' }]);
  });

  test('member that lacks a value gets a capability as one step that needs less than its tools', () => {
    const { plan, tools } = complete(shapeOf({ 'post:track': 0.8 }), {
      said: [],
      capabilities: [aChain('last', ['shop:find', 'shop:order'])],
    });

    expect(tools).toEqual(['cap:last', 'post:track']);
    expect(plan.paths).toEqual([
      { nodes: ['cap:last', 'post:track'], added: ['cap:last'], param: 'order' },
    ]);
  });

  test('member that lacks a value gets the capability whose result it took before', () => {
    const letter = run('d', 'cap:quote', 'mail:letter text');
    const { tools, links } = complete(shapeOf({ 'mail:letter': 0.8 }), {
      said: ['stamp'],
      traces: [...PAST, letter],
      capabilities: [aChain('quote', ['shop:find', 'shop:order', 'shop:price'])],
    });

    expect(tools).toEqual(['cap:quote', 'mail:letter']);
    expect(links).toEqual(['cap:quote > mail:letter']);
  });

  test('member gets a separate step for a value that a capability in the plan keeps inside', () => {
    const { tools } = complete(shapeOf({ 'post:track': 0.9, 'cap:quote': 0.6 }), {
      capabilities: [aChain('quote', ['shop:find', 'shop:order', 'shop:price'])],
    });

    expect(tools.toSorted()).toEqual(['cap:quote', 'post:track', 'shop:find', 'shop:order']);
  });

  test('member gets no giver that would lack a value itself', () => {
    const { tools, holes, plan } = complete(shapeOf({ 'post:track': 0.8 }), { said: [] });

    expect(tools).toEqual(['post:track']);
    expect(holes).toEqual(['post:track.order']);
    expect(plan.paths).toBeUndefined();
  });

  test('member gets no giver that may not be used', () => {
    expect(complete(shapeOf({ 'post:track': 0.8 }), { unusable: ['shop:order'] }).tools).toEqual([
      'post:track',
    ]);
    expect(complete(shapeOf({ 'post:track': 0.8 }), { unusable: ['shop:find'] }).tools).toEqual([
      'post:track',
    ]);
  });

  test('member gets no giver for another value than the one it lacks', () => {
    const { tools } = complete(shapeOf({ 'mail:letter': 0.8 }), {
      said: ['text'],
      traces: [run('d', 'cap:quote', 'mail:letter text')],
    });

    expect(tools).toEqual(['mail:letter']);
  });

  test('member gets no giver that comes after it', () => {
    const shape = shapeOf({ 'post:track': 0.8, 'shop:order': 0.7 }, ['post:track > shop:order']);

    expect(complete(shape, { said: [] }).tools).toEqual(['post:track', 'shop:order']);
  });

  test('member that lacks nothing stays unchanged', () => {
    const shape = shapeOf({ 'post:track': 0.8 });

    const { plan, fills } = complete(shape, { said: ['order'] });

    expect(plan).toBe(shape);
    expect(fills).toBe(1);
  });
});

test('plan is filled only a limited number of times, however many givers there are', () => {
  const tools = Array.from({ length: 30 }, (_, place) => `t:lacking${place}`);
  const needs = Object.fromEntries(tools.map((tool) => [tool, { x: [] }]));
  const traces = tools.flatMap((tool, place) =>
    Array.from({ length: 6 }, (_, giver) =>
      run(`${place} ${giver}`, `g:giver${giver}`, `${tool} x`),
    ),
  );
  let fills = 0;
  const shape = shapeOf(Object.fromEntries(tools.map((tool) => [tool, 0.5])));

  const { shape: plan } = addMissing(shape, {
    evidence: evidenceWith({ traces }),
    isUsable: () => true,
    fill() {
      fills += 1;
      return { holes: Object.keys(needs).map((tool) => ({ tool: id(tool), param: 'x' })) };
    },
  });

  expect(plan).toBe(shape);
  expect(fills).toBeLessThanOrEqual(12);
});
