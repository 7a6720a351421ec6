import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import { DEFAULT_MODELS } from '../learn/models.js';
import { memberSignals } from '../members/member-signals.js';
import { plannedSignals } from './planned-signals.js';

const evidence = evidenceWith({
  traces: ['r1', 'r2', 'r3'].map((run) => served(run, 'x', ['a:find', 'a:read', 'a:send'])),
  likely: { 'a:find': 0.9, 'a:read': 0.9, 'a:send': 0.9, 'b:other': 0.01 },
  similar: { r1: 0.5, r2: 0.5 },
  trust: 1,
});

function after(...done: readonly string[]) {
  const of = plannedSignals(done.map(id), evidence, { weights: DEFAULT_MODELS.members });
  return (tool: string) => of(id(tool));
}

test('planned signals rate members of the plan above other tools', () => {
  const of = after('a:find');

  expect(of('a:read').member).toBeGreaterThan(of('b:other').member + 1);
  expect(of('c:unknown').member).toBeLessThan(0.5);
});

test('planned signals put the step whose turn it is before later steps of the plan', () => {
  const of = after('a:find');

  expect(of('a:read').turn).toBeGreaterThan(of('a:send').turn);
});

test('steps that are done do not hold up later steps', () => {
  expect(after('a:find', 'a:read')('a:send').turn).toBeGreaterThan(after('a:find')('a:send').turn);
});

test('planned signals are the same if the candidates of the plan are known already', () => {
  const known = plannedSignals([id('a:find')], evidence, {
    weights: DEFAULT_MODELS.members,
    candidates: memberSignals(evidence),
  });

  for (const tool of ['a:read', 'a:send', 'b:other']) {
    expect(known(id(tool))).toEqual(after('a:find')(tool));
  }
});
