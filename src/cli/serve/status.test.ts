import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { searchStatus } from '../../../test/helpers/search-status.js';
import type { DaemonStatus } from '../../control/index.js';
import { createContextBudget, listed, spend } from '../../tool-text/index.js';
import { describeStatus } from './status.js';

const REPAINT = '\u001B[2K\u009B1A';
const SHOWN = String.raw`\u{1b}[2K\u{9b}1A`;

function statusOf(changes: Partial<DaemonStatus> = {}): DaemonStatus {
  return {
    pid: 7,
    version: '1.0.0',
    uptimeMs: 0,
    rssBytes: 0,
    config: '/home/u/.pml/pml.json',
    dataDir: '/home/u/.pml',
    exposure: 'meta',
    clients: [],
    store: { engine: 'PGlite', version: '1', schemaVersion: 1 },
    search: searchStatus({}),
    sandbox: { nodePermissions: true, nodeNetwork: false, bubblewrap: false, isWatched: true },
    servers: [],
    broken: {},
    disabled: [],
    ...changes,
  };
}

const plain = (status: DaemonStatus) => stripVTControlCharacters(describeStatus(status).join('\n'));

test('every client is shown with what PML sent to it', () => {
  const fresh = createContextBudget({ windowTokens: 200_000, share: 0.05 });
  const used = spend(listed(fresh, { menu: 449, lists: 0 }), 'discover', 1_320);
  const clients = [
    { id: '1', name: 'claude-code', budget: spend(used, 'results', 5_000) },
    { id: '2', name: 'cursor', budget: fresh },
  ];

  const text = plain(statusOf({ clients }));

  expect(text).toMatch(
    /clients +claude-code: 1,769 of 10,000 tokens \(menu 449, discover 1,320\) and 5,000 of tool results\n +cursor: 0 of 10,000 tokens\n/,
  );
  expect(plain(statusOf())).toMatch(/clients +none/);
});

test('what is in use of what PML learned is shown with the reason', () => {
  const learned = [
    { part: 'discovery', inUse: 'cold', why: 'memory: 3 different requests prove nothing yet' },
    { part: 'members', inUse: 'learned', why: 'better by +0.050 ± 0.010' },
    { part: 'next', inUse: 'shipped', why: 'nothing measured yet' },
    { part: 'vectors', inUse: 'off', why: '12 of 500 remembered requests' },
  ];

  expect(plain(statusOf({ learned }))).toMatch(
    /ranking +cold .*\n +memory: 3 different requests prove nothing yet\ntool vectors +off; 12 of 500 remembered requests\nplans +members: learned; better by \+0\.050 ± 0\.010\n +next: shipped; nothing measured yet\n/,
  );
});

test('models of plans of which the same is true share one row of the status', () => {
  const learned = ['members', 'links', 'next'].map((part) => ({
    part,
    inUse: 'shipped',
    why: 'nothing measured yet',
  }));

  expect(plain(statusOf({ learned }))).toMatch(
    /\nplans +members, links, next: shipped; nothing measured yet\n/,
  );
});

const NO_WARM = {
  started: 0,
  failed: 0,
  used: 0,
  wasted: 0,
  savedMs: 0,
  wastedMs: 0,
  reasons: { session: 0, discovered: 0, suggested: 0, predicted: 0 },
};

test('what PML did before it was asked is one line, with what is off and why episodes do not count', () => {
  const counts = { predictions: 1_200, served: 35, wasted: 5, savedMs: 52_000 };
  const figures = { mode: 'suggest' as const, warm: NO_WARM, ...counts };
  const episodes = { inUse: false, why: '3 different requests prove nothing yet' };

  expect(
    plain(statusOf({ speculation: { ...figures, episodes, off: ['speculate search'] } })),
  ).toMatch(
    /speculation +1,200 predictions, 35 useful, 5 unused, 52\.0 s saved\n +past episodes do not change predictions: 3 different requests prove nothing yet\n +off, because it did not pay: speculate search\n/,
  );
  expect(
    plain(statusOf({ speculation: { ...figures, predictions: 0, episodes, off: [] } })),
  ).toMatch(/speculation +no prediction yet\n/);
});

test('what servers and clients wrote cannot repaint the terminal', () => {
  const status = statusOf({
    clients: [
      {
        id: '1',
        name: `client${REPAINT}`,
        budget: createContextBudget({ windowTokens: 1, share: 1 }),
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
  });

  const text = describeStatus(status).join('\n');

  for (const what of ['client', 'store', 'server', 'broken', 'model', 'bwrap']) {
    expect(text).toContain(`${what}${SHOWN}`);
  }
});

test('servers that were started ahead of calls are shown with their outcome', () => {
  const warm = {
    ...NO_WARM,
    started: 5,
    failed: 1,
    used: 3,
    wasted: 1,
    savedMs: 4_200,
    wastedMs: 300,
    reasons: { session: 1, discovered: 4, suggested: 0, predicted: 0 },
  };

  const counts = { predictions: 0, served: 0, wasted: 0, savedMs: 0 };
  const episodes = { inUse: false, why: '' };
  const speculation = { mode: 'suggest' as const, warm, ...counts, episodes, off: [] };

  expect(plain(statusOf({ speculation }))).toMatch(
    /ahead +suggest: 5 servers started, 3 used \(4 s saved\), 1 not used, 1 failed\n/,
  );
  expect(plain(statusOf())).not.toContain('ahead');
});
