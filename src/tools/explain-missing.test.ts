import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { offlineTools } from '../../test/helpers/offline-tools.js';
import { explainMissing } from './explain-missing.js';

/** Servers `good` and `late`, none of which is ever started. */
async function twoServers() {
  const permissions = { allow: [], ask: [], deny: ['good:secret'] };
  const { tools, list } = await offlineTools(['good', 'late'], { changes: { permissions } });
  return { tools, list: (text: string) => list('good', ['echo', 'secret'], text) };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a tool a client names', () => {
  test('a call of an unlisted tool waits only until its server has listed', async () => {
    const { tools, list } = await twoServers();
    const waiting = tools.toolListing('echo');
    await vi.advanceTimersByTimeAsync(10);

    list('old');

    // No time passes from here on, and `late` never lists.
    await expect(waiting).resolves.toBeUndefined();
    expect(tools.view.unlisted).toEqual(['late']);
  });

  test.each([
    ['good__echo', 'TOOL_BLOCKED', 'pml tools approve good:echo'],
    ['good:echo', 'TOOL_BLOCKED', 'pml tools approve good:echo'],
    ['late__act', 'SERVER_NOT_STARTED', 'has not listed its tools'],
  ])('a call of %s is refused with %s and a hint what to do', async (name, code, hint) => {
    const { tools, list } = await twoServers();
    list('old');
    list('new');

    const error = explainMissing(tools, name);

    expect(error).toMatchObject({ code, message: expect.stringContaining(hint) as string });
  });

  test('a call of a hidden or unknown tool is refused, and the error names similar tools', async () => {
    const { tools, list } = await twoServers();
    list('old');

    expect(explainMissing(tools, 'good__secret')).toMatchObject({ code: 'TOOL_DENIED' });
    expect(explainMissing(tools, 'ecko')).toMatchObject({ code: -32_602 });
    expect(explainMissing(tools, 'echo_text').message).toContain('good:echo');
    expect(explainMissing(tools, 'god:ecoh').message).toContain('Near: good:echo');
  });
});
