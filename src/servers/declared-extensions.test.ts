import { expect, test } from 'vitest';

import type { JsonObject } from '../core/index.js';
import { DeclaredExtensions } from './declared-extensions.js';

const UI = 'io.modelcontextprotocol/ui';
const ui = (...mimeTypes: string[]): JsonObject => ({ extensions: { [UI]: { mimeTypes } } });

test('DeclaredExtensions joins what clients declare, and reports growth once', () => {
  let grown = 0;
  const declared = new DeclaredExtensions(() => grown++);

  declared.declare('a', {});
  declared.declare('b', ui('html'));
  declared.declare('b', ui('html'));
  declared.declare('c', ui('html', 'video'));
  declared.declare('d', { extensions: { 'com.example/x': { on: true } } });

  expect(declared.all).toEqual({
    [UI]: { mimeTypes: ['html', 'video'] },
    'com.example/x': { on: true },
  });
  expect(grown).toBe(3);
});

test('DeclaredExtensions forgets what only a client declared that left', () => {
  let grown = 0;
  const declared = new DeclaredExtensions(() => grown++);
  declared.declare('a', ui('html'));
  declared.declare('b', ui('video'));

  declared.leave('b');
  declared.leave('unknown');

  expect(declared.all).toEqual({ [UI]: { mimeTypes: ['html'] } });
  declared.leave('a');
  expect(declared.all).toBeUndefined();
  expect(grown).toBe(2);
});

test('DeclaredExtensions leaves out tasks, which PML waits for itself', () => {
  const declared = new DeclaredExtensions(() => {});

  declared.declare('a', { extensions: { 'io.modelcontextprotocol/tasks': {} } });

  expect(declared.all).toBeUndefined();
});
