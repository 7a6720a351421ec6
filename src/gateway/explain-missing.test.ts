import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { gatewaySettings, serverSpec } from '../../test/helpers/gateway-settings.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { Catalog } from '../catalog/index.js';
import { serverName, silentLogger } from '../core/index.js';
import { ServerPool } from '../servers/index.js';
import { explainMissing } from './explain-missing.js';
import { Gateway } from './gateway.js';

/** A gateway before servers `good` and `late`, none of which is ever started. */
async function createGateway(dataDir: string) {
  const settings = gatewaySettings(['good', 'late'], {
    permissions: { allow: [], ask: [], deny: ['good:secret'] },
  });
  const catalog = new Catalog({
    onDefinitionChange: 'block',
    log: silentLogger,
    now: () => new Date(0),
  });
  const pool = new ServerPool(
    {
      dataDir,
      environment: {},
      clientInfo: {},
      limits: {
        callTimeoutMs: 1_000,
        startTimeoutMs: 1_000,
        idleStopMs: 0,
        serverConcurrency: 1,
        backgroundStarts: 1,
        messageBytes: 1_000,
        tools: 10,
      },
      log: silentLogger,
      now: () => 0,
      knownEras: () => undefined,
    },
    { listed: () => {}, notified: () => {} },
  );
  await pool.configure(new Map(['good', 'late'].map((one) => [serverName(one), serverSpec(one)])));
  const gateway = new Gateway(settings, {
    catalog,
    pool,
    log: silentLogger,
    keptResultBytes: 1_000,
    catalogLoaded: Promise.resolve(),
  });
  const list = (description: string) =>
    catalog.refresh({
      server: serverName('good'),
      configHash: 'good',
      listing: {
        capabilities: {},
        serverInfo: {},
        resources: [],
        resourceTemplates: [],
        prompts: [],
      },
      rawTools: ['echo', 'secret'].map((name) => ({
        name,
        description,
        inputSchema: { type: 'object' },
      })),
      eras: ['legacy'],
      wasProbed: true,
    });
  return { gateway, list };
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
  });
});
