import fc from 'fast-check';
import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import { Company, type CompanyCounts, serversOf } from './company.js';

const TOOLS = ['a:one', 'a:two', 'b:three', 'c:four'].map(id);
const requests = fc.array(fc.uniqueArray(fc.constantFrom(...TOOLS), { maxLength: 4 }), {
  maxLength: 8,
});

function countsOf(company: CompanyCounts) {
  return {
    uses: TOOLS.map((tool) => company.uses(tool)),
    serverUses: [...serversOf(TOOLS)].map((server) => company.serverUses(server)),
    companions: TOOLS.map((tool) => new Map(company.companions(tool))),
  };
}

function companyOf(told: readonly (typeof TOOLS)[]): Company {
  const company = new Company();
  for (const tools of told) company.add(tools);
  return company;
}

test('company counts tools, servers once per request, and tools used together', () => {
  const company = companyOf([TOOLS.slice(0, 3), TOOLS.slice(0, 1)]);

  expect(company.uses(id('a:one'))).toBe(2);
  expect(company.serverUses(serversOf(TOOLS).values().next().value!)).toBe(2);
  expect(new Map(company.companions(id('a:one')))).toEqual(
    new Map([
      [id('a:two'), 1],
      [id('b:three'), 1],
    ]),
  );
});

test('company without some requests counts as if it had never seen them', () => {
  fc.assert(
    fc.property(requests, requests, (kept, other) => {
      const company = companyOf([...kept, ...other]);

      expect(countsOf(company.without(other))).toEqual(countsOf(companyOf(kept)));
    }),
  );
});

test('company keeps nothing of removed requests', () => {
  fc.assert(
    fc.property(requests, requests, (kept, other) => {
      const company = companyOf([...other, ...kept]);

      for (const tools of other) company.remove(tools);

      expect(countsOf(company)).toEqual(countsOf(companyOf(kept)));
    }),
  );
});
