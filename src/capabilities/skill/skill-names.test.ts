import fc from 'fast-check';
import { expect, test } from 'vitest';

import { skillNames } from './skill-names.js';

test.each([
  ['backUpRepoToS3', 'back-up-repo-to-s3'],
  ['getHTTPStatus', 'get-http-status'],
  ['_measure__text_', 'measure-text'],
])('skillNames turns %s into %s', (name, skill) => {
  expect(skillNames([name]).get(name)).toBe(skill);
});

test('skillNames adds a hash to both of two colliding names, in any order', () => {
  const both = skillNames(['readBoth', 'other', 'read_both']);

  expect(both.get('other')).toBe('other');
  expect(both.get('readBoth')).toMatch(/^read-both-[0-9a-f]{8}$/);
  expect(both.get('read_both')).toMatch(/^read-both-[0-9a-f]{8}$/);
  expect(both.get('readBoth')).toBe(skillNames(['read_both', 'readBoth']).get('readBoth'));
});

test('skillNames gives valid and unique skill names for all capability names', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
      const skills = [...skillNames(names).values()];

      expect(new Set(skills).size).toBe(names.length);
      for (const skill of skills) {
        expect(skill).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(skill.length).toBeLessThanOrEqual(64);
      }
    }),
  );
});
