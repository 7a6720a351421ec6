import { expect, test } from 'vitest';

import { searchStatus } from '../../../test/helpers/search-status.js';
import type { DaemonStatus } from '../../control/index.js';
import { describeStatus } from './status.js';

const REPAINT = '\u001B[2K\u009B1A';
const SHOWN = String.raw`\u{1b}[2K\u{9b}1A`;

test('what servers and clients wrote cannot repaint the terminal', () => {
  const status: DaemonStatus = {
    pid: 7,
    version: '1.0.0',
    uptimeMs: 0,
    rssBytes: 0,
    config: '/home/u/.pml/pml.json',
    dataDir: '/home/u/.pml',
    exposure: 'meta',
    clients: [
      {
        id: '1',
        name: `client${REPAINT}`,
        budget: { totalTokens: 1, budgetTokens: 1, usedTokens: 0, availableTokens: 1 },
      },
    ],
    store: { error: `store${REPAINT}` },
    search: searchStatus({ state: 'failed', error: `model${REPAINT}` }),
    sandbox: {
      nodePermissions: true,
      nodeNetwork: false,
      bubblewrap: false,
      withoutBubblewrap: `bwrap${REPAINT}`,
      isWatched: true,
    },
    servers: [
      {
        name: 'a',
        kind: 'stdio',
        state: 'failing',
        pids: [],
        runningCalls: 0,
        lastError: `server${REPAINT}`,
        retryInMs: 0,
        tools: 0,
        listed: false,
      },
    ],
    broken: { b: `broken${REPAINT}` },
    disabled: [],
  };

  const text = describeStatus(status).join('\n');

  for (const what of ['client', 'store', 'server', 'broken', 'model', 'bwrap']) {
    expect(text).toContain(`${what}${SHOWN}`);
  }
});
