import { expect, test } from 'vitest';

import { closeInOrder } from './close-in-order.js';
import { createLogger } from './logger.js';

test('closeInOrder closes the parts after one that fails, and reports the failure', async () => {
  const written: string[] = [];
  const log = createLogger({
    level: 'error',
    write: (line) => void written.push(line),
    secrets: () => [],
    now: () => new Date(0),
  });
  const closed: string[] = [];

  await closeInOrder(log, [
    () => closed.push('first'),
    () => Promise.reject(new Error('the folder is gone')),
    () => closed.push('last'),
  ]);

  expect(closed).toEqual(['first', 'last']);
  expect(written.join('')).toContain('the folder is gone');
});
