import { expect, test } from 'vitest';

import { exposedName, type Named, NameTable } from './exposed-names.js';

const named = (...ids: string[]): readonly Named[] =>
  ids.map((id) => {
    const [server = '', name = ''] = id.split(':');
    return { server, name };
  });

// covers: NAMES-BARE
test('gives the bare name to a server that is alone and the server before it otherwise', () => {
  expect(exposedName('files', 'read', true)).toBe('read');
  expect(exposedName('files', 'read', false)).toBe('files__read');
});

// covers: NAMES-SHORT
test('shortens a name that clients would drop, and keeps different names apart', () => {
  const one = exposedName('files', `${'x'.repeat(90)}a`, false);
  const other = exposedName('files', `${'x'.repeat(90)}b`, false);

  expect(one).toHaveLength(64);
  expect(one).not.toBe(other);
  expect(one).toBe(exposedName('files', `${'x'.repeat(90)}a`, false));
});

test('finds a thing by every name a client may use', () => {
  const [read] = named('files:read');
  const table = new NameTable([...named('files:read', 'git:log')], false);

  for (const name of ['files__read', 'files:read', 'read']) expect(table.find(name)).toEqual(read);
  expect(table.find('write')).toBeUndefined();
});

test('does not find a bare name that two servers share', () => {
  const table = new NameTable(named('files:read', 'mail:read'), false);

  expect(table.find('read')).toBeUndefined();
  expect(table.find('mail:read')).toEqual({ server: 'mail', name: 'read' });
});

// covers: NAMES-OWN
test('a tool cannot take the name of another server by calling itself so', () => {
  const table = new NameTable(named('evil:files__read', 'files:read'), false);

  expect(table.find('files__read')).toEqual({ server: 'files', name: 'read' });
});

test('two things whose names would join to the same one both get another', () => {
  const items = named('a_:b', 'a:_b');
  const table = new NameTable(items, false);

  const names = items.map((item) => table.nameOf(item));

  expect(new Set(names).size).toBe(2);
  expect(names.map((name) => table.find(name))).toEqual(items);
});
