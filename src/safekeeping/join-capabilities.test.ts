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
  test.each(both)('takes the higher version, wherever it is: %o', (options) => {
    expect(joinCapabilities([older], [newer], options)).toEqual([newer]);
    expect(joinCapabilities([newer], [older], options)).toEqual([newer]);
  });

  test('keeps versions that only the lower one has, and the longer statistics', () => {
    const often = { ...first.statistics, uses: 9 };
    const third = aVersion({ identity: 'third', version: 3 });
    const kept = aCapability('a', { current: { ...first, statistics: often }, others: [second] });
    const stored = aCapability('a', { current: third, others: [first] });

    const [joined] = joinCapabilities([kept], [stored], { isDamaged: true });

    expect(joined?.current).toEqual(third);
    expect(joined?.others).toEqual([second, { ...first, statistics: often }]);
  });

  test('between equal versions believes a file that is only incomplete, and not a damaged one', () => {
    const disabled = { ...older, state: { status: 'disabled', reason: 'by the user' } as const };

    expect(joinCapabilities([older], [disabled], { isDamaged: true })).toEqual([disabled]);
    expect(joinCapabilities([disabled], [older], { isDamaged: false })).toEqual([disabled]);
  });

  test.each(both)('follows a new name, wherever it was given: %o', (options) => {
    const renamed = aCapability('b', { aliases: ['a'], current: first });

    expect(joinCapabilities([older], [renamed], options)).toEqual([renamed]);
    expect(joinCapabilities([renamed], [older], options)).toEqual([renamed]);
  });

  test.each(both)('leaves out what became part of another: %o', (options) => {
    const [from, into] = [aCapability('from'), aCapability('into')];
    const merged = { ...into, aliases: ['from'], others: [from.current] };

    expect(joinCapabilities([from, into], [merged], options).map(({ name }) => name)).toEqual([
      'into',
    ]);
    expect(joinCapabilities([merged], [from, into], options).map(({ name }) => name)).toEqual([
      'into',
    ]);
  });

  test('does not bring back from a damaged file what a later database has no more', () => {
    const kept = [usedAt('removed', 1), usedAt('other', 2)];

    expect(namesOf(joinCapabilities(kept, [usedAt('other', 2)], { isDamaged: true }))).toEqual([
      'other',
    ]);
  });

  test('keeps what a damaged file has when the database is new, or older than it', () => {
    const kept = [usedAt('early', 1), usedAt('late', 3)];

    expect(namesOf(joinCapabilities(kept, [], { isDamaged: true }))).toEqual(['early', 'late']);
    expect(namesOf(joinCapabilities(kept, [usedAt('early', 1)], { isDamaged: true }))).toEqual([
      'early',
      'late',
    ]);
  });

  test('keeps everything of a file that was begun without the database', () => {
    const all = joinCapabilities([usedAt('early', 1)], [usedAt('stored', 2)], { isDamaged: false });

    expect(namesOf(all)).toEqual(['early', 'stored']);
  });
});
