import { getEventListeners } from 'node:events';

import { expect, test } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import { task } from '../../test/helpers/run-parts.js';
import {
  type CallOptions,
  type JsonObject,
  runId,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import { LoneCall } from './lone-call.js';

const RESULT: ToolResult = { content: [] };

function handedOver() {
  const answer = deferred<ToolResult>();
  const aborted: unknown[] = [];
  const call = new LoneCall(
    { type: 'run-started', run: runId('r1'), at: 0, tasks: [], approve: 'risky', context: {} },
    task('a:x'),
    { repeatable: false },
  );
  const caller = {
    call: (_tool: ToolId, _args: JsonObject, { signal }: CallOptions) => {
      signal.addEventListener('abort', () => aborted.push(signal.reason), { once: true });
      return answer.promise;
    },
  };
  void call.make(caller, () => {});
  return { make: call.handedOver(true).call.make, answer, aborted };
}

test('a lone call that became a run listens to the signal of the run until it has its result', async () => {
  const { make, answer, aborted } = handedOver();
  const run = new AbortController();

  const result = make({ signal: run.signal, task: task('a:x').id });
  const listeners = getEventListeners(run.signal, 'abort').length;
  answer.resolve(RESULT);

  expect([listeners, await result]).toEqual([1, RESULT]);
  expect(getEventListeners(run.signal, 'abort')).toHaveLength(0);
  expect(aborted).toEqual([]);
});

test('a lone call that became a run is cancelled with the run', async () => {
  const { make, answer, aborted } = handedOver();
  const run = new AbortController();

  const result = make({ signal: run.signal, task: task('a:x').id });
  run.abort('stopped');
  answer.resolve(RESULT);

  await result;
  expect(aborted).toEqual(['stopped']);
});
