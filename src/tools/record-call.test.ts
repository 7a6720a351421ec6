import { describe, expect, test } from 'vitest';

import { id } from '../../test/helpers/past-intent.js';
import { type PastCall, PmlError, type PmlErrorCode, type ToolResult } from '../core/index.js';
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
  test('tells that a call worked, and how long it took', async () => {
    const { outcome, calls } = await recorded(async () => result);

    expect(outcome).toBe(result);
    expect(calls).toMatchObject([{ tool, ok: true }]);
    expect(calls[0]?.ms).toBeGreaterThanOrEqual(0);
  });

  test('an error the tool itself reports is a failure', async () => {
    const { calls } = await recorded(async () => ({ ...result, isError: true }));

    expect(calls).toMatchObject([{ ok: false }]);
  });

  // covers: TRACE-ERRORS
  test('records what a failed result and a thrown error said, with its kind and without secrets', async () => {
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
    '%s is a failure of the tool, and thrown on',
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
  ] as const)('%s says nothing about the tool', async (code) => {
    const { outcome, calls } = await recorded(fails(code));

    expect(outcome).toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  test('an error we do not know is thrown on and says nothing', async () => {
    const { outcome, calls } = await recorded(() => Promise.reject(new TypeError('ours')));

    expect(outcome).toBeInstanceOf(TypeError);
    expect(calls).toEqual([]);
  });

  test('a call whose server asks back has not happened yet', async () => {
    const asking = { resultType: 'input_required', inputRequests: {} } as unknown as ToolResult;

    const { outcome, calls } = await recorded(async () => asking);

    expect(outcome).toBe(asking);
    expect(calls).toEqual([]);
  });
});
