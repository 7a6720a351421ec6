import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import { type PastCall, PmlError, type PmlErrorCode, type ToolResult } from '../../core/index.js';
import { recordCall } from './record-call.js';

const tool = id('mail:send');
const result: ToolResult = { content: [] };

async function recorded(call: () => Promise<ToolResult>) {
  const calls: PastCall[] = [];
  const mask = (text: string) => text.replaceAll('sesame', '***');
  const record = (one: PastCall) => void calls.push(one);
  const outcome = await recordCall(tool, call, { record, mask }).catch((error: unknown) => error);
  return { outcome, calls };
}

const fails = (code: PmlErrorCode) => () => Promise.reject(new PmlError(code, 'no'));

describe('recordCall', () => {
  test('recordCall records that a call succeeded, and its duration', async () => {
    const { outcome, calls } = await recorded(async () => result);

    expect(outcome).toBe(result);
    expect(calls).toMatchObject([{ tool, ok: true }]);
    expect(calls[0]?.ms).toBeGreaterThanOrEqual(0);
  });

  test('recordCall records a failure if the tool itself reports an error', async () => {
    const { calls } = await recorded(async () => ({ ...result, isError: true }));

    expect(calls).toMatchObject([{ ok: false }]);
  });

  // covers: TRACE-ERRORS
  test('recordCall records the text and kind of an error, returned or thrown, without secrets', async () => {
    const content = [{ type: 'text', text: 'invalid token sesame' }];
    const answered = await recorded(async () => ({ content, isError: true }));
    const thrown = await recorded(() =>
      Promise.reject(new PmlError('TOOL_TIMED_OUT', 'no answer for sesame')),
    );

    expect(answered.calls).toMatchObject([
      { errorType: 'permission', errorMessage: 'invalid token ***' },
    ]);
    expect(thrown.calls).toMatchObject([
      { errorType: 'timeout', errorMessage: 'no answer for ***' },
    ]);
  });

  test.each(['TOOL_TIMED_OUT', 'SERVER_CRASHED', 'SERVER_ERROR', 'TOOL_FAILED'] as const)(
    'recordCall records %s as a failure of the tool and rethrows it',
    async (code) => {
      const { outcome, calls } = await recorded(fails(code));

      expect(outcome).toMatchObject({ code });
      expect(calls).toMatchObject([{ ok: false }]);
    },
  );

  test.each([
    'TOOL_DENIED',
    'TOOL_BLOCKED',
    'TOOL_UNKNOWN',
    'CALL_CANCELLED',
    'BAD_REQUEST',
  ] as const)('recordCall records nothing for %s', async (code) => {
    const { outcome, calls } = await recorded(fails(code));

    expect(outcome).toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  test('recordCall rethrows an unknown error and records nothing', async () => {
    const { outcome, calls } = await recorded(() => Promise.reject(new TypeError('ours')));

    expect(outcome).toBeInstanceOf(TypeError);
    expect(calls).toEqual([]);
  });

  test('recordCall records nothing if the server asks back', async () => {
    const asking = { resultType: 'input_required', inputRequests: {} } as unknown as ToolResult;

    const { outcome, calls } = await recorded(async () => asking);

    expect(outcome).toBe(asking);
    expect(calls).toEqual([]);
  });
});
