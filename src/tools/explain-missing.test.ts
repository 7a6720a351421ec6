import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { offlineGateway } from '../../test/helpers/offline-gateway.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { explainMissing } from './explain-missing.js';

/** A gateway before servers `good` and `late`, none of which is ever started. */
async function createGateway(dataDir: string) {
  const permissions = { allow: [], ask: [], deny: ['good:secret'] };
  const { gateway, list } = await offlineGateway(dataDir, ['good', 'late'], { permissions });
  return { gateway, list: (text: string) => list('good', ['echo', 'secret'], text) };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a tool a client names', () => {
  test('is waited for no longer than until its server has listed', async () => {
    await using folder = await temporaryFolder();
    const { gateway, list } = await createGateway(folder.path);
    const waiting = gateway.toolListing('echo');
    await vi.advanceTimersByTimeAsync(10);

    list('old');

    // No time passes from here on, and `late` never lists.
    await expect(waiting).resolves.toBeUndefined();
    expect(gateway.view.unlisted).toEqual(['late']);
  });

  test.each([
    ['good__echo', 'TOOL_BLOCKED', 'pml tools approve good:echo'],
    ['good:echo', 'TOOL_BLOCKED', 'pml tools approve good:echo'],
    ['late__act', 'SERVER_NOT_STARTED', 'has not listed its tools'],
  ])('%s is refused with %s and what to do', async (name, code, hint) => {
    await using folder = await temporaryFolder();
    const { gateway, list } = await createGateway(folder.path);
    list('old');
    list('new');

    const error = explainMissing(gateway, name);

    expect(error).toMatchObject({ code, message: expect.stringContaining(hint) as string });
  });

  test('is hidden or unknown, and what is near is named', async () => {
    await using folder = await temporaryFolder();
    const { gateway, list } = await createGateway(folder.path);
    list('old');

    expect(explainMissing(gateway, 'good__secret')).toMatchObject({ code: 'TOOL_DENIED' });
    expect(explainMissing(gateway, 'ecko')).toMatchObject({ code: -32_602 });
    expect(explainMissing(gateway, 'echo_text').message).toContain('good:echo');
    expect(explainMissing(gateway, 'god:ecoh').message).toContain('Near: good:echo');
  });
});
