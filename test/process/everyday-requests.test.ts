/**
 * Requests as users write them, over the reference servers and a small CRM. The requests and their right
 * tools were written before the search was tuned to them: a change of a right answer needs a reason.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import requests from '../fixtures/everyday-requests.json' with { type: 'json' };
import { everydayServers } from '../helpers/everyday-servers.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

interface Hit {
  readonly tool: string;
  readonly risk?: string;
}

const LEAST_FIRST = 24;
const LEAST_WITHIN_THREE = 28;

let workspace: Workspace;
let client: PmlClient;

beforeAll(async () => {
  const folder = fileURLToPath(new URL('../../samples/files', import.meta.url));
  workspace = await Workspace.create({ embedding: 'gte-small' });
  workspace.configure({
    embedding: 'gte-small',
    mcpServers: everydayServers({ folder, memory: join(workspace.path, 'memory.jsonl') }),
  });
  client = await workspace.connect();
});

afterAll(() => workspace[Symbol.asyncDispose]());

test('the model has read all 50 tools', async () => {
  await client.text('pml_discover', { intent: 'start' });

  await expect
    .poll(async () => (await workspace.status()).search, { timeout: 60_000 })
    .toMatchObject({ state: 'ready', waiting: 0, indexed: 50 });
});

async function hitsOf(intent: string): Promise<readonly Hit[]> {
  const answer = JSON.parse(await client.text('pml_discover', { intent })) as { hits: Hit[] };
  return answer.hits;
}

// covers: FIND-EVERYDAY
test('pml_discover finds the right tool for 30 everyday requests', async () => {
  // On a busy machine an answer may come before the model has read the request. It reads it all the same.
  for (const { request } of requests) await hitsOf(request);
  await expect
    .poll(async () => (await workspace.status()).search, { timeout: 60_000 })
    .toMatchObject({ waiting: 0 });
  const answers = [];
  for (const one of requests) {
    const found = (await hitsOf(one.request)).map(({ tool }) => tool);
    answers.push({ ...one, found, place: found.findIndex((tool) => one.right.includes(tool)) });
  }
  const missed = answers
    .filter(({ place }) => place !== 0)
    .map(({ request, found }) => `${request} → ${found.slice(0, 3).join(', ')}`);
  const within = answers.filter(({ place }) => place >= 0 && place < 3);

  expect(requests).toHaveLength(30);
  const isGood = missed.length <= 30 - LEAST_FIRST && within.length >= LEAST_WITHIN_THREE;
  expect(isGood ? [] : missed).toEqual([]);
});

// covers: FIND-HARMLESS-FIRST
test('pml_discover puts no destructive tool first for a request that only reads', async () => {
  const destructive = [];
  for (const { request } of requests.filter(({ reads }) => reads)) {
    const [first] = await hitsOf(request);
    if (first?.risk === 'destructive') destructive.push(`${request} → ${first.tool}`);
  }

  expect(destructive).toEqual([]);
});
