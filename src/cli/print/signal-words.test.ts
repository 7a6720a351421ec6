import { expect, test } from 'vitest';

import { SIGNALS } from '../../ranking/index.js';
import { MEMBER_SIGNALS } from '../../suggest/members/member-signals.js';
import { describeReasons } from './signal-words.js';

test('describeReasons says each reason once, what speaks for a tool first', () => {
  const reasons = describeReasons(
    [
      { signal: 'reliability', share: -2 },
      { signal: 'meaning', share: 1.5 },
      { signal: 'needMeaning', share: 1 },
      { signal: 'uses', share: 0.01 },
      { signal: 'words', share: 0.5 },
    ],
    5,
  );

  expect(reasons).toEqual([
    'it means the same',
    'its text has your words',
    'but its calls fail more often than usual',
  ]);
});

// covers: CLI-PLAIN-WORDS
test.each([...SIGNALS, ...MEMBER_SIGNALS].filter((one) => one !== 'bias'))(
  'describeReasons has words for the signal %s',
  (signal) => {
    expect(describeReasons([{ signal, share: 1 }], 1)).toHaveLength(1);
    expect(describeReasons([{ signal, share: -1 }], 1)[0]).toMatch(/^but /);
  },
);
