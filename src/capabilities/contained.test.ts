import { describe, expect, test } from 'vitest';

import { aCapability, aVersion } from '../../test/helpers/capability-samples.js';
import type { Capability } from '../core/index.js';
import {
  allContained,
  closesCycle,
  dependantsOf,
  lackOf,
  containedReliability,
} from './contained.js';

function calling(
  name: string,
  contains: readonly string[],
  { uses = 1, successes = 1 }: { uses?: number; successes?: number } = {},
): Capability {
  const statistics = { uses, successes, failuresInRow: 0, totalMs: 0 };
  return aCapability(name, { current: aVersion({ identity: name, contains, statistics }) });
}

const finder = (all: readonly Capability[]) => (name: string) =>
  all.find((one) => one.name === name || one.aliases.includes(name));

const names = (all: readonly Capability[]) => all.map(({ name }) => name).toSorted();

describe('capabilities that call capabilities', () => {
  const base = { ...calling('base', [], { uses: 10, successes: 2 }), aliases: ['formerBase'] };
  const middle = calling('middle', ['formerBase'], { uses: 10, successes: 10 });
  const top = calling('top', ['middle', 'base'], { uses: 5, successes: 5 });
  const all = [base, middle, top];
  const find = finder(all);

  test('contained capabilities are found through others and by former names, each once', () => {
    expect(names(allContained(['middle', 'formerBase', 'unknown'], find))).toEqual([
      'base',
      'middle',
    ]);
    expect(names(dependantsOf(base, all, find))).toEqual(['middle', 'top']);
    expect(names(dependantsOf(top, all, find))).toEqual([]);
  });

  test('a capability is as reliable as the weakest capability it contains', () => {
    expect(containedReliability(base, find)).toBe(3 / 12);
    expect(containedReliability(top, find)).toBe(3 / 12);
  });

  test.each([
    ['quarantined', { status: 'quarantined', cause: 'failures', reason: 'r' }],
    ['disabled', { status: 'disabled', reason: 'r' }],
  ] as const)('a capability has reliability 0 when one it contains is %s', (_, state) => {
    const broken = finder([{ ...base, state }, middle, top]);

    expect(containedReliability(top, broken)).toBe(0);
    expect(containedReliability(middle, broken)).toBe(0);
  });

  test('a capability lacks a contained one that is gone or disabled', () => {
    expect(lackOf(middle, find)).toBeUndefined();
    expect(lackOf(middle, finder([middle]))).toMatchObject({
      cause: 'contained',
      reason: 'it calls cap.formerBase, gone or disabled',
    });
  });

  test('closesCycle finds every change that would make a capability call itself', () => {
    expect(closesCycle('base', ['top'], find)).toBe(true);
    expect(closesCycle('formerBase', ['middle'], find)).toBe(true);
    expect(closesCycle('new', ['new'], find)).toBe(true);
    expect(closesCycle('new', ['top'], find)).toBe(false);
    expect(closesCycle('top', ['base'], find)).toBe(false);
    expect(closesCycle('base', ['top'], finder([middle, top]))).toBe(true);
  });
});
