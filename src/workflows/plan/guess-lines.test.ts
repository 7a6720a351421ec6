import { expect, test } from 'vitest';

import { parseToolId, taskId, type Task } from '../../core/index.js';
import { guessLines } from './guess-lines.js';

test('each value that PML filled in has one short line', () => {
  const because = 'names fit';
  const task: Task = {
    id: taskId('c'),
    tool: parseToolId('fake:create').id,
    args: { data: { $ref: 'b.parsed' }, city: 'Vienna', unit: 'metric', given: 1 },
    needs: [],
    guessed: {
      data: { source: 'inferred', score: 0.912, because },
      city: { source: 'literal', score: 0.83, because },
      unit: { source: 'default', score: 1, because },
    },
  };

  expect(guessLines([task])).toEqual([
    'c.data ← b.parsed (0.91)',
    'c.city = "Vienna" (literal, 0.83)',
    'c.unit = "metric" (default)',
  ]);
});
