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

test('describeReasons never says of one thing that it speaks both for and against a tool', () => {
  const reasons = describeReasons(
    [
      { signal: 'likelyShare', share: 1.2 },
      { signal: 'likely', share: -0.4 },
      { signal: 'vote', share: 0.3 },
      { signal: 'near', share: -0.9 },
    ],
    5,
  );

  expect(reasons).toEqual(['it fits the request', 'but requests like this were served by others']);
});

// covers: CLI-PLAIN-WORDS
test.each([...SIGNALS, ...MEMBER_SIGNALS].filter((one) => one !== 'bias'))(
  'describeReasons has words for the signal %s',
  (signal) => {
    expect(describeReasons([{ signal, share: 1 }], 1)).toHaveLength(1);
    expect(describeReasons([{ signal, share: -1 }], 1)[0]).toMatch(/^but /);
  },
);
