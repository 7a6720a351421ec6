import { expect, test } from 'vitest';

import type { ProtocolEra } from '../core/index.js';
import type { Greeting } from './connection/handshake.js';
import { KnownEras } from './known-eras.js';

const greeting = (era: ProtocolEra, eras?: readonly ProtocolEra[]): Greeting => ({
  era,
  eras,
  protocolVersion: 'x',
  capabilities: {},
  serverInfo: {},
  instructions: undefined,
});

test('KnownEras reads stored eras only when asked, because the store opens late', () => {
  let stored: readonly ProtocolEra[] | undefined;
  const eras = new KnownEras(() => stored);
  expect(eras.all).toBeUndefined();

  stored = ['modern'];

  expect(eras.all).toEqual(['modern']);
  expect(eras.choose('legacy')).toBe('modern');
});

test('KnownEras chooses the wanted era if the server supports it or nothing is known', () => {
  const eras = new KnownEras(() => undefined);
  expect(eras.choose('modern')).toBe('modern');

  eras.learn(greeting('legacy', ['legacy', 'modern']));

  expect(eras.choose('modern')).toBe('modern');
  expect(eras.choose('legacy')).toBe('legacy');
});

test('KnownEras does not trust stored eras again after they turned out wrong', () => {
  const eras = new KnownEras(() => ['modern']);
  expect(eras.choose('legacy')).toBe('modern');

  eras.forget();

  expect(eras.all).toBeUndefined();
  eras.learn(greeting('legacy', ['legacy']));
  expect(eras.choose('modern')).toBe('legacy');
});
