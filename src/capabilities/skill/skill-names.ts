import { createHash } from 'node:crypto';

import { nameParts } from '../../core/index.js';

/** The longest name of a skill. */
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Names of skills for names of capabilities: small letters, digits and single hyphens. Where two would
 * become one name neither gets it, so that no name changes its meaning when another one comes.
 */
export function skillNames(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = names.map(plainName);
  const taken = new Map<string, number>();
  for (const one of plain) taken.set(one, (taken.get(one) ?? 0) + 1);
  return new Map(
    names.map((name, index) => {
      const wanted = plain[index]!;
      const isFree = wanted !== '' && wanted.length <= MAX_LENGTH && taken.get(wanted) === 1;
      return [name, isFree ? wanted : hashedName(name, wanted)];
    }),
  );
}

function plainName(name: string): string {
  return nameParts(name)
    .map((part) => part.replaceAll(/[^a-z0-9]/g, ''))
    .filter(Boolean)
    .join('-');
}

function hashedName(name: string, wanted: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  const start = wanted.slice(0, MAX_LENGTH - HASH_LENGTH - 1).replace(/-+$/, '');
  return `${start || 'capability'}-${hash}`;
}
