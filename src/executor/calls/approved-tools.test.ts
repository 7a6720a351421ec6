import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import type { Decider, RunState } from '../../core/index.js';
import { isToolApproved } from './approved-tools.js';

const decided = (by: Decider): Pick<RunState, 'decisions'> => ({
  decisions: [{ at: 0, by, command: { kind: 'approve', tasks: [], tools: [id('a:delete')] } }],
});

test('a decision about all calls counts for its tools only', () => {
  expect(isToolApproved(decided('agent'), id('a:delete'), { whom: 'agent' })).toBe(true);
  expect(isToolApproved(decided('agent'), id('a:drop'), { whom: 'agent' })).toBe(false);
  expect(isToolApproved({ decisions: [] }, id('a:delete'), { whom: 'agent' })).toBe(false);
});

test('what a person must approve counts only if a person decided', () => {
  expect(isToolApproved(decided('agent'), id('a:delete'), { whom: 'person' })).toBe(false);
  expect(isToolApproved(decided('human'), id('a:delete'), { whom: 'person' })).toBe(true);
  expect(isToolApproved(decided('user'), id('a:delete'), { whom: 'person' })).toBe(true);
});
