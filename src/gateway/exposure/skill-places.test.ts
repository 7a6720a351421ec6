import { expect, test } from 'vitest';

import { serverName } from '../../core/index.js';
import { SkillPlaces } from './skill-places.js';

const [one, two] = ['one', 'two'].map(serverName) as [never, never];
const uri = 'skill://shop/refunds/SKILL.md';

test('SkillPlaces keeps the first address, and names the server in the second', () => {
  const places = new SkillPlaces();

  expect(places.place(one, uri)).toBe(uri);
  expect(places.place(two, uri)).toBe('skill://two/shop/refunds/SKILL.md');
  expect(places.place(one, uri)).toBe(uri);
  expect(places.find('skill://two/shop/refunds/references/A.md')).toEqual({
    server: two,
    uri: 'skill://shop/refunds/references/A.md',
  });
  expect(places.find(uri)).toEqual({ server: one, uri });
  expect(places.find('skill://shop/other/SKILL.md')).toBeUndefined();
});

test('SkillPlaces lets no server into the folder of PML', () => {
  const places = new SkillPlaces();

  expect(places.place(one, 'skill://pml/x/SKILL.md')).toBe('skill://one/pml/x/SKILL.md');
});

test('expose renames files with their skill, and refuses what is no skill', () => {
  const places = new SkillPlaces();
  const entry = {
    uri,
    frontmatter: { name: 'refunds', description: 'd' },
    resources: [{ uri, digest: 'sha256:0', size: 1 }],
  };
  places.place(one, uri);

  const exposed = places.expose(two, entry);

  const place = 'skill://two/shop/refunds/SKILL.md';
  expect(exposed).toEqual({
    ...entry,
    uri: place,
    resources: [{ uri: place, digest: 'sha256:0', size: 1 }],
  });
  expect(places.expose(two, { ...entry, resources: 'dynamic' })).toMatchObject({
    resources: 'dynamic',
  });
  expect(places.expose(one, { uri: 'skill://shop/refunds/other.md' })).toBeUndefined();
  expect(places.expose(one, 'nonsense')).toBeUndefined();
});
