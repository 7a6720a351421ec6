import { expect, test } from 'vitest';

import { SIGNALS } from '../../../src/ranking/index.js';
import { MEMBER_SIGNALS } from '../../../src/suggest/members/member-signals.js';
import { signalLabel } from './signal-labels.js';

test.each([...SIGNALS, ...MEMBER_SIGNALS].filter((one) => one !== 'bias'))(
  'signalLabel has plain words for the signal %s',
  (signal) => {
    expect(signalLabel(signal)).toMatch(/^[a-z].* /);
  },
);
