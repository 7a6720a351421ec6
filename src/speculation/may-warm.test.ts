import { expect, test } from 'vitest';

import { gatewaySettings } from '../../test/helpers/gateway-settings.js';
import { principal, serverName, type SpeculationSettings, THE_USER } from '../core/index.js';
import { type WarmCandidate, whyNotWarm } from './may-warm.js';

const settings = (changes: Partial<SpeculationSettings> = {}): SpeculationSettings => ({
  ...gatewaySettings([]).speculation,
  ...changes,
});
const candidate = (changes: Partial<WarmCandidate> = {}): WarmCandidate => ({
  server: serverName('git'),
  isolation: 'shared',
  hasFailed: false,
  principal: THE_USER,
  hasSession: true,
  ...changes,
});

test.each(['warm', 'suggest', 'on'] as const)(
  'a server may be started ahead in mode %s',
  (mode) => {
    expect(whyNotWarm(settings({ mode }), candidate(), [])).toBeUndefined();
  },
);

test.each([{ mode: 'off' } as const, { warmServers: 0 }])('no server is started with %o', (off) => {
  expect(whyNotWarm(settings(off), candidate(), [])).toBe('off');
});

test.each(['git', 'gi*', 'git:*', '*'])('the glob %s denies the start of the server', (glob) => {
  expect(whyNotWarm(settings({ deny: [glob] }), candidate(), [])).toBe('denied');
  expect(whyNotWarm(settings(), candidate(), [glob])).toBe('denied');
});

test.each(['git:push', 'gitlab', 'gitlab:*'])('the glob %s does not deny the server', (glob) => {
  expect(whyNotWarm(settings({ deny: [glob] }), candidate(), [])).toBeUndefined();
});

test('a server that failed, as without its sign-in, is not started', () => {
  expect(whyNotWarm(settings(), candidate({ hasFailed: true }), [])).toBe('failed');
});

test('a server for one client is started only for a session that is there', () => {
  const own = { isolation: 'per-client' } as const;
  const stranger = principal('exchange', '1');

  expect(whyNotWarm(settings(), candidate(own), [])).toBeUndefined();
  expect(whyNotWarm(settings(), candidate({ ...own, hasSession: false }), [])).toBe('no session');
  expect(whyNotWarm(settings(), candidate({ ...own, principal: stranger }), [])).toBe('no session');
  expect(whyNotWarm(settings(), candidate({ principal: stranger }), [])).toBeUndefined();
});
