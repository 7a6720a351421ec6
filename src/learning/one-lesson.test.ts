import { expect, test } from 'vitest';

import { oneLessonAtATime } from './one-lesson.js';

test('a lesson begins when the lesson before it has ended, even if that one failed', async () => {
  const events: string[] = [];
  const lesson = (name: string, fails: boolean) =>
    oneLessonAtATime(async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      if (fails) throw new Error('nothing learned');
      return name;
    });

  const results = await Promise.allSettled([lesson('one', true), lesson('other', false)]);

  expect(events).toEqual(['one begins', 'one ends', 'other begins', 'other ends']);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
