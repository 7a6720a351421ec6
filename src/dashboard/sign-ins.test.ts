import { expect, test } from 'vitest';

import { type KeptSession, SignIns } from './sign-ins.js';

const HOUR = 3_600_000;

function create(sessions: readonly KeptSession[] = []) {
  const clock = { now: 1_000_000 };
  const saved: (readonly KeptSession[])[] = [];
  const signIns = new SignIns({ sessions, save: (all) => saved.push(all), now: () => clock.now });
  return { clock, saved, signIns };
}

test('a token becomes a session once', () => {
  const { signIns } = create();
  const { token } = signIns.issueToken();

  const secret = signIns.redeem(token);

  expect(signIns.isSignedIn(secret)).toBe(true);
  expect(signIns.redeem(token)).toBeUndefined();
  expect(signIns.redeem(secret!)).toBeUndefined();
});

test('a token expires after minutes', () => {
  const { signIns, clock } = create();
  const { token, expiresAt } = signIns.issueToken();
  clock.now = expiresAt;

  expect(signIns.redeem(token)).toBeUndefined();
});

// covers: UI-COMES-BACK
test('a session outlives its daemon by its hash, and the secret is written nowhere', () => {
  const first = create();
  const secret = first.signIns.redeem(first.signIns.issueToken().token)!;

  const { signIns } = create(first.saved.at(-1));

  expect(JSON.stringify(first.saved)).not.toContain(secret);
  expect(signIns.isSignedIn(secret)).toBe(true);
  const [{ hash } = { hash: '' }] = first.saved.at(-1)!;
  expect(signIns.isSignedIn(hash)).toBe(false);
});

test('a session ends after a week, however often it is used', () => {
  const { signIns, clock, saved } = create();
  const secret = signIns.redeem(signIns.issueToken().token)!;
  clock.now += 6 * 24 * HOUR;
  expect(signIns.isSignedIn(secret)).toBe(true);
  expect(saved).toHaveLength(1);

  clock.now += 24 * HOUR;

  expect(signIns.isSignedIn(secret)).toBe(false);
  expect(signIns.size).toBe(0);
});

test('the oldest of many sessions and tokens make room', () => {
  const { signIns } = create();
  const [oldest] = Array.from({ length: 25 }, () => signIns.issueToken().token);
  const secrets = Array.from({ length: 25 }, () => signIns.redeem(signIns.issueToken().token)!);

  expect(signIns.redeem(oldest!)).toBeUndefined();
  expect(signIns.size).toBe(20);
  expect(signIns.isSignedIn(secrets[0])).toBe(false);
  expect(signIns.isSignedIn(secrets.at(-1))).toBe(true);
});

test.each([undefined, '', 'x'])('%j is no session', (secret) => {
  expect(create().signIns.isSignedIn(secret)).toBe(false);
});
