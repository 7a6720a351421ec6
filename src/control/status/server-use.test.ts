import { expect, test } from 'vitest';

import { serverUses } from './server-use.js';

const call = (server: string, ms: number, outcome: 'ok' | 'failed' | 'error' = 'ok') => ({
  server,
  ms,
  outcome,
  at: ms * 1_000,
  way: 'run' as const,
});

test('serverUses counts calls and failures of each server, with the median time and the last use', () => {
  const uses = serverUses([
    call('a', 30),
    call('a', 10),
    call('a', 20, 'failed'),
    call('b', 1, 'error'),
    call('b', 3),
    { ...call('b', 99), isSpeculated: true },
  ]);

  expect(uses.get('a')).toEqual({
    calls: 3,
    failures: 1,
    medianMs: 20,
    lastAt: '1970-01-01T00:00:30.000Z',
  });
  expect(uses.get('b')).toMatchObject({ calls: 2, failures: 1, medianMs: 2 });
  expect(serverUses([]).size).toBe(0);
});
