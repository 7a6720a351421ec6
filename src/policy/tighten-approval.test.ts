import { expect, test } from 'vitest';

import type { ApprovalMode } from '../core/index.js';
import { tightenApproval } from './tighten-approval.js';

test.each<[ApprovalMode, ApprovalMode | undefined, ApprovalMode]>([
  ['risky', undefined, 'risky'],
  ['risky', 'never', 'risky'],
  ['risky', 'per_layer', 'per_layer'],
  ['per_layer', 'risky', 'per_layer'],
  ['per_layer', 'never', 'per_layer'],
  ['never', 'never', 'never'],
  ['never', 'risky', 'risky'],
])('configured %s, a request for %s gives %s', (configured, asked, expected) => {
  expect(tightenApproval(configured, asked)).toBe(expected);
});
