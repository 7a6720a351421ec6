import { describe, expect, test } from 'vitest';

import { aCapability, aVersion } from '../../test/helpers/capability-samples.js';
import type { Capability } from '../core/index.js';
import { joinCapabilities } from './join-capabilities.js';

const first = aVersion({ identity: 'first' });
const second = aVersion({ identity: 'second', version: 2 });
const older = aCapability('a', { current: first });
const newer = aCapability('a', { current: second, others: [first] });
const usedAt = (name: string, day: number): Capability =>
  aCapability(name, {
    current: aVersion({
      identity: name,
      statistics: { ...first.statistics, lastUsed: new Date(Date.UTC(2026, 11, day)) },
    }),
  });
const both = [{ isDamaged: true }, { isDamaged: false }];
const namesOf = (all: readonly Capability[]) => all.map(({ name }) => name).toSorted();

describe('joinCapabilities', () => {
  test.each(both)('joinCapabilities takes the higher version of either side: %o', (options) => {
    expect(joinCapabilities([older], [newer], options)).toEqual([newer]);
    expect(joinCapabilities([newer], [older], options)).toEqual([newer]);
  });

  test('joinCapabilities keeps versions that only the older side has, and the larger statistics', () => {
    const often = { ...first.statistics, uses: 9 };
    const third = aVersion({ identity: 'third', version: 3 });
    const kept = aCapability('a', { current: { ...first, statistics: often }, others: [second] });
    const stored = aCapability('a', { current: third, others: [first] });

    const [joined] = joinCapabilities([kept], [stored], { isDamaged: true });

    expect(joined?.current).toEqual(third);
    expect(joined?.others).toEqual([second, { ...first, statistics: often }]);
  });

  test('joinCapabilities prefers an incomplete file to the database for equal versions, but not a damaged file', () => {
    const disabled = { ...older, state: { status: 'disabled', reason: 'by the user' } as const };

    expect(joinCapabilities([older], [disabled], { isDamaged: true })).toEqual([disabled]);
    expect(joinCapabilities([disabled], [older], { isDamaged: false })).toEqual([disabled]);
  });

  test.each(both)('joinCapabilities follows a rename on either side: %o', (options) => {
    const renamed = aCapability('b', { aliases: ['a'], current: first });

    expect(joinCapabilities([older], [renamed], options)).toEqual([renamed]);
    expect(joinCapabilities([renamed], [older], options)).toEqual([renamed]);
  });

  test.each(both)('joinCapabilities leaves out a merged capability: %o', (options) => {
    const [from, into] = [aCapability('from'), aCapability('into')];
    const merged = { ...into, aliases: ['from'], others: [from.current] };

    expect(joinCapabilities([from, into], [merged], options).map(({ name }) => name)).toEqual([
      'into',
    ]);
    expect(joinCapabilities([merged], [from, into], options).map(({ name }) => name)).toEqual([
      'into',
    ]);
  });

  test('joinCapabilities does not restore from a damaged file what a newer database has removed', () => {
    const kept = [usedAt('removed', 1), usedAt('other', 2)];

    expect(namesOf(joinCapabilities(kept, [usedAt('other', 2)], { isDamaged: true }))).toEqual([
      'other',
    ]);
  });

  test('joinCapabilities keeps all of a damaged file if the database is new or older than the file', () => {
    const kept = [usedAt('early', 1), usedAt('late', 3)];

    expect(namesOf(joinCapabilities(kept, [], { isDamaged: true }))).toEqual(['early', 'late']);
    expect(namesOf(joinCapabilities(kept, [usedAt('early', 1)], { isDamaged: true }))).toEqual([
      'early',
      'late',
    ]);
  });

  test('joinCapabilities keeps all of a file that was started without the database', () => {
    const all = joinCapabilities([usedAt('early', 1)], [usedAt('stored', 2)], { isDamaged: false });

    expect(namesOf(all)).toEqual(['early', 'stored']);
  });
});
