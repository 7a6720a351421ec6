import { expect, test } from 'vitest';

import { isLoopback } from './loopback.js';

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('%s is a loopback address', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['127.evil.example', '0.0.0.0', '192.0.2.1', '::', 'example.org'])(
  '%s is no loopback address',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
