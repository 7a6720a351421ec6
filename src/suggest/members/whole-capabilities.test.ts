import { describe, expect, test } from 'vitest';

import { aChain } from '../../../test/helpers/graph-samples.js';
import { shapeOf } from '../../../test/helpers/plan-shapes.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { evidenceWith, type EvidenceParts } from '../../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../../core/index.js';
import type { PlanOutline } from '../plan-outline.js';
import { withWholes } from './whole-capabilities.js';

const QUOTE = aChain('quote', ['shop:find', 'shop:order', 'shop:price']);
const TOOLS = { 'shop:find': 0.8, 'shop:order': 0.7, 'shop:price': 0.9 };
const CHAIN = ['shop:find > shop:order', 'shop:order > shop:price'];

/** Runs in which the capability gave its result to a letter. */
const letters = (times: number): readonly ExecutionTrace[] =>
  Array.from({ length: times }, (_, place) =>
    served(`letter${place}`, 'a letter with a quote', ['cap:quote', 'mail:letter'], {
      bindings: [{ from: 0, to: 1, field: 'quote', param: 'text' }],
    }),
  );

function whole(shape: PlanOutline, parts: EvidenceParts = {}, capabilities = [QUOTE]): PlanOutline {
  const evidence = evidenceWith(parts);
  evidence.graph.setCapabilities(capabilities);
  return withWholes(shape, evidence);
}

const toolsOf = ({ members }: PlanOutline) => members.map(({ tool }) => tool);
const linksOf = ({ links }: PlanOutline) => links.map(({ from, to }) => `${from} > ${to}`);

describe('what needs all of a capability', () => {
  const shape = shapeOf({ ...TOOLS, 'mail:letter': 0.9 }, [...CHAIN, 'shop:price > mail:letter']);

  test('capability replaces its tools in the plan, and the tool that needs it depends on it', () => {
    const plan = whole(shape, { traces: letters(2) });

    expect(toolsOf(plan)).toEqual(['cap:quote', 'mail:letter']);
    expect(linksOf(plan)).toEqual(['cap:quote > mail:letter']);
    expect(plan.wholes).toEqual([
      {
        capability: 'cap:quote',
        instead: ['shop:find', 'shop:order', 'shop:price'],
        neededBy: ['mail:letter'],
      },
    ]);
    expect(plan.others).toEqual([]);
  });

  test('tool waits for all final steps of a capability that cannot be called', () => {
    const both = aChain('quote', ['shop:find', 'shop:order']);
    const loose = shapeOf({ 'shop:find': 0.8, 'shop:order': 0.7, 'mail:letter': 0.9 }, [
      'shop:order > mail:letter',
    ]);

    const plan = whole(loose, { traces: letters(2), gone: ['cap:quote'] }, [both]);

    expect(toolsOf(plan)).toEqual(['shop:find', 'shop:order', 'mail:letter']);
    expect(linksOf(plan)).toEqual(['shop:find > mail:letter', 'shop:order > mail:letter']);
    expect(plan.wholes).toBeUndefined();
  });

  test('plan keeps the tools of a capability if another step takes a value from the middle', () => {
    const parcel = served('p', 'where is it', ['shop:order', 'post:track'], {
      bindings: [{ from: 0, to: 1 }],
    });
    const tracked = shapeOf({ ...TOOLS, 'post:track': 0.8, 'mail:letter': 0.9 }, [
      ...CHAIN,
      'shop:order > post:track',
      'shop:price > mail:letter',
    ]);

    const plan = whole(tracked, { traces: [...letters(2), parcel] });

    expect(toolsOf(plan)).not.toContain('cap:quote');
    expect(linksOf(plan)).toEqual(expect.arrayContaining([...CHAIN, 'shop:order > post:track']));
  });

  test('plan keeps the tools of a capability if another step must run between them', () => {
    const between = shapeOf({ ...TOOLS, 'human:ask': 0.8, 'mail:letter': 0.9 }, [
      ...CHAIN,
      'shop:find > human:ask',
      'human:ask > shop:price',
    ]);

    expect(toolsOf(whole(between, { traces: letters(2) }))).not.toContain('cap:quote');
  });

  test('plan stays unchanged if the result of the single tool was taken as often as that of the capability', () => {
    const alone = served('alone', 'x', ['shop:price', 'mail:letter'], {
      bindings: [{ from: 0, to: 1 }],
    });

    expect(whole(shape, { traces: [alone, ...letters(1)] })).toEqual(shape);
  });

  test('tool depends on a capability also if both were chosen without a link', () => {
    const loose = shapeOf({ 'mail:letter': 0.9, 'cap:quote': 0.6 }, []);

    const plan = whole(loose, { traces: letters(3) });

    expect(toolsOf(plan)).toEqual(['cap:quote', 'mail:letter']);
    expect(plan.links).toEqual([{ from: 'cap:quote', to: 'mail:letter', probability: 0.6 }]);
  });

  test('tool does not wait for a capability that waits for it, and that link is reported as broken', () => {
    const backwards = shapeOf({ 'mail:letter': 0.9, 'cap:quote': 0.6 }, [
      'mail:letter > cap:quote',
    ]);

    const plan = whole(backwards, { traces: letters(3) });

    expect(linksOf(plan)).toEqual(['cap:quote > mail:letter']);
    expect(plan.broken).toMatchObject([{ from: 'mail:letter', to: 'cap:quote' }]);
  });
});

describe('a capability beside tools that it calls itself', () => {
  test('capability replaces all of its tools in a plan', () => {
    const plan = whole(
      shapeOf({ ...TOOLS, 'cap:quote': 0.5 }, [...CHAIN, 'shop:find > cap:quote']),
    );

    expect(toolsOf(plan)).toEqual(['cap:quote']);
    expect(plan.links).toEqual([]);
  });

  test('capability replaces some of its tools if it is likelier than they are', () => {
    const plan = whole(shapeOf({ 'cap:quote': 0.8, 'shop:order': 0.4, 'post:track': 0.5 }, []));

    expect(toolsOf(plan)).toEqual(['cap:quote', 'post:track']);
  });

  test('capability gives way to a likelier tool of its own, because it does more than is wanted', () => {
    const plan = whole(
      shapeOf({ 'cap:quote': 0.4, 'shop:order': 0.9 }, ['cap:quote > shop:order']),
    );

    expect(toolsOf(plan)).toEqual(['shop:order']);
    expect(plan.links).toEqual([]);
  });

  test('capability keeps the tools that similar runs called beside it', () => {
    const beside = served('b', 'x', ['cap:quote', 'shop:order']);
    const plan = whole(shapeOf({ 'cap:quote': 0.8, 'shop:find': 0.7, 'shop:order': 0.7 }, []), {
      traces: [beside],
      similar: { b: 1 },
    });

    expect(toolsOf(plan)).toEqual(['cap:quote', 'shop:order']);
  });

  test('capability replaces a capability that it contains', () => {
    const all = aChain('all', ['cap:quote', 'mail:letter']);
    const shape = shapeOf({ 'cap:all': 0.8, 'cap:quote': 0.7, 'shop:order': 0.2 }, []);

    expect(toolsOf(whole(shape, {}, [QUOTE, all]))).toEqual(['cap:all']);
  });
});

describe('a plan that is just what a capability does', () => {
  const shape = shapeOf(TOOLS, CHAIN);

  test('plan with exactly the tools of a capability becomes the capability if it fits the intent', () => {
    const plan = whole(shape, { likely: { 'cap:quote': 0.6 } });

    expect(plan.members).toMatchObject([{ tool: 'cap:quote', probability: 0.7 }]);
    expect(plan.links).toEqual([]);
  });

  test('plan stays unchanged if the matching capability does not fit the intent or does not exist', () => {
    expect(whole(shape, { likely: { 'cap:quote': 0.1 } })).toEqual(shape);
    expect(whole(shape, { likely: { 'cap:quote': 0.6 }, gone: ['cap:quote'] })).toEqual(shape);
  });

  test('plan stays unchanged if the matching capability fails', () => {
    const failed = Array.from({ length: 4 }, (_, place) =>
      served(`f${place}`, 'x', [], { calls: [{ tool: 'cap:quote' as never, ok: false }] }),
    );

    expect(whole(shape, { likely: { 'cap:quote': 0.6 }, traces: failed })).toEqual(shape);
  });

  test('plan stays unchanged if the capability does more than the plan', () => {
    const more = aChain('quote', ['shop:find', 'shop:order', 'shop:price', 'mail:letter']);

    expect(whole(shape, { likely: { 'cap:quote': 0.9 } }, [more])).toEqual(shape);
  });
});

test('plan stays unchanged without capabilities', () => {
  const shape = shapeOf(TOOLS, CHAIN);

  expect(whole(shape, {}, [])).toBe(shape);
});
