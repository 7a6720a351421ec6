import { expect, test } from 'vitest';

import { exposedName, type Named, NameTable } from './exposed-names.js';

const named = (...ids: string[]): readonly Named[] =>
  ids.map((id) => {
    const [server = '', name = ''] = id.split(':');
    return { server, name };
  });

// covers: NAMES-BARE
test('an exposed name has the server as a prefix, unless there is only one server', () => {
  expect(exposedName('files', 'read', true)).toBe('read');
  expect(exposedName('files', 'read', false)).toBe('files__read');
});

// covers: NAMES-SHORT
test('a name too long for clients is shortened, and different names stay different', () => {
  const one = exposedName('files', `${'x'.repeat(90)}a`, false);
  const other = exposedName('files', `${'x'.repeat(90)}b`, false);

  expect(one).toHaveLength(64);
  expect(one).not.toBe(other);
  expect(one).toBe(exposedName('files', `${'x'.repeat(90)}a`, false));
});

test('NameTable finds a tool by every name that a client may use', () => {
  const [read] = named('files:read');
  const table = new NameTable([...named('files:read', 'git:log')], false);

  for (const name of ['files__read', 'files:read', 'read']) expect(table.find(name)).toEqual(read);
  expect(table.find('write')).toBeUndefined();
});

test('NameTable does not find a bare name that two servers share', () => {
  const table = new NameTable(named('files:read', 'mail:read'), false);

  expect(table.find('read')).toBeUndefined();
  expect(table.find('mail:read')).toEqual({ server: 'mail', name: 'read' });
});

// covers: NAMES-OWN
test('a tool cannot take the name of another server by its own name', () => {
  const table = new NameTable(named('evil:files__read', 'files:read'), false);

  expect(table.find('files__read')).toEqual({ server: 'files', name: 'read' });
});

test('two tools whose exposed names would collide both get another name', () => {
  const items = named('a_:b', 'a:_b');
  const table = new NameTable(items, false);

  const names = items.map((item) => table.nameOf(item));

  expect(new Set(names).size).toBe(2);
  expect(names.map((name) => table.find(name))).toEqual(items);
});
