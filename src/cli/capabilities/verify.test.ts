import { expect, test } from 'vitest';

import type { VerifiedCapability } from '../../control/index.js';
import { runId, type ToolId } from '../../core/index.js';
import { describeVerified } from './verify.js';

const run = runId('run_1');

test.each<[VerifiedCapability, RegExp]>([
  [{ name: 'a', kind: 'active' }, /in use; its tools/],
  [{ name: 'a', kind: 'restored' }, /in use again; its tools/],
  [{ name: 'a', kind: 'proven', run }, /it worked \(run_1\)/],
  [{ name: 'a', kind: 'failed', run, reason: 'torn' }, /still in quarantine: torn \(run_1\)/],
  [{ name: 'a', kind: 'running', run }, /pml watch run_1/],
  [
    { name: 'a', kind: 'needs-run', tools: ['x:write' as ToolId], args: {} },
    /may call x:write\. To run it: pml capabilities verify a --run/,
  ],
  [{ name: 'a', kind: 'needs-args', missing: ['key'] }, /needs key: .* a --args/],
  [{ name: 'a', kind: 'impossible', reason: 'gone' }, /cannot be proven: gone/],
])('tells what to do: %j', (one, line) => {
  expect(describeVerified(one)).toMatch(line);
});
