import { expect, test } from 'vitest';

import { offlineTools } from '../../test/helpers/offline-tools.js';
import { createTestDiscovery } from '../../test/helpers/test-discovery.js';

const names = (start: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${start}_${at}`);

async function open() {
  const discovery = createTestDiscovery();
  const { tools, list } = await offlineTools(['files', 'mail'], { discovery });
  return { tools, list, index: discovery.index };
}

test('a search that follows a list finds the tools indexed, also if several searches wait', async () => {
  const { tools, list, index } = await open();
  list('mail', []);
  list('files', names('read', 300));

  await Promise.all([tools.readyToSearch(), tools.readyToSearch()]);

  expect(index.size).toBe(300);
});

test('a search that waits for the index gets the tools that are listed meanwhile, too', async () => {
  const { tools, list, index } = await open();
  list('mail', []);
  list('files', names('read', 300));

  const ready = tools.readyToSearch();
  list('mail', names('send', 20));
  await ready;

  expect(index.size).toBe(320);
});

test('a search within a profile waits for the index of all tools', async () => {
  const { tools, list, index } = await open();
  list('mail', []);
  list('files', names('read', 30));

  await tools.within('unknown').readyToSearch();

  expect(index.size).toBe(30);
});
