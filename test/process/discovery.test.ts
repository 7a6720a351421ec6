/** Search by words, meaning and memory, with the real model, for agents and the CLI. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SearchAnswer, SearchStatus } from '../../src/control/index.js';
import { plain, Workspace } from '../helpers/workspace.js';

/** With these variables every network access fails at once. */
const NO_NETWORK = {
  HTTP_PROXY: 'http://127.0.0.1:1',
  HTTPS_PROXY: 'http://127.0.0.1:1',
  http_proxy: 'http://127.0.0.1:1',
  https_proxy: 'http://127.0.0.1:1',
  ALL_PROXY: 'http://127.0.0.1:1',
};

const TOOLS = 6;

async function search(workspace: Workspace, intent: string, ...options: string[]) {
  const { code, stdout, stderr } = await workspace.run('search', intent, '--json', ...options);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as SearchAnswer;
}

describe('with the built-in model, without a network', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await Workspace.create(
      { embedding: 'gte-small', mcpServers: { plain: plain() } },
      { variables: NO_NETWORK, isNew: true },
    );
  });

  afterAll(() => workspace[Symbol.asyncDispose]());

  test('PML answers the first search of an agent at once, later ones by meaning', async () => {
    const client = await workspace.connect();

    const answer = await client.text('pml_discover', { intent: 'answer after milliseconds' });

    expect(answer).toContain('plain:slow');
    await expect
      .poll(async () => (await workspace.status()).search)
      .toMatchObject({ state: 'ready', indexed: TOOLS, waiting: 0 });
    const later = await client.text('pml_discover', { intent: 'delay' });
    const { hits } = JSON.parse(later) as { hits: readonly object[] };
    expect(hits[0]).toMatchObject({ tool: 'plain:slow' });
    expect(workspace.processes('model')).toHaveLength(1);
    await client[Symbol.asyncDispose]();
  });

  // covers: SEARCH-OFFLINE
  test('search finds by meaning a tool that shares no word with the intent [SEARCH-MEANING]', async () => {
    const { hits, byMeaning } = await search(workspace, 'delay');
    const { stdout } = await workspace.run('search', 'delay', '--verbose', '--limit', '2');

    expect(byMeaning).toBe(true);
    expect(hits[0]).toMatchObject({ tool: 'plain:slow', server: 'plain', words: [] });
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
    expect(hits[0]!.signals[0]?.signal).toMatch(/meaning/i);
    expect(stdout).toMatch(/^0\.\d\d {2}plain:slow +plain {2}Answers after a number/);
    expect(stdout).toMatch(/because it means the same/);
    expect(stdout).toMatch(/weights: needMeaning \+\d/);
    expect(stdout).toContain('Ranking: memory (words, meaning and memory)');
  });

  test('impossible search is refused with the reason', async () => {
    const empty = await workspace.run('search', '  ');
    const limit = await workspace.run('search', 'x', '--limit', 'many');
    const huge = await workspace.run('search', 'a'.repeat(100_000));
    const nowhere = await workspace.run('search', 'x', '--server', 'nope');

    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('what is wanted') });
    expect(limit.code).toBe(2);
    expect(huge).toMatchObject({ code: 1, stderr: expect.stringContaining('100000 characters') });
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No server fits "nope". There are: plain'),
    });
  });

  test('import of a file with a wrong line changes nothing [IMPORT-ALL-OR-NOTHING]', async () => {
    const file = (name: string, ...lines: string[]) => {
      writeFileSync(join(workspace.path, name), lines.join('\n'));
      return join(workspace.path, name);
    };
    const good = JSON.stringify({ intent: 'x', calls: [{ tool: 'plain:echo' }] });
    const notJson = file('not-json.jsonl', good, '', '{oops');
    const notRow = file('not-row.jsonl', good, '{"intent": "y"}');

    const first = await workspace.run('import', notJson);
    const second = await workspace.run('import', notRow);
    const absent = await workspace.run('import', join(workspace.path, 'absent.jsonl'));

    expect(first).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${notJson}:3: not JSON`),
    });
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${notRow}:2: calls:`),
    });
    expect(absent.code).toBe(1);
    expect((await workspace.status()).search.remembered).toBe(0);
  });

  test('imported traces change the ranking, once [MEMORY-IMPORT]', async () => {
    const intents = [
      'are you there',
      'are you alive there',
      'is somebody there',
      'hello are you there today',
      'there is somebody alive',
      'you there, are you alive',
    ];
    const rows = intents.map((intent) => ({ intent, calls: [{ tool: 'environment' }] }));
    const other = { intent: 'other', calls: [{ tool: 'gone:tool' }, { tool: 'what is this' }] };
    const path = join(workspace.path, 'past.jsonl');
    writeFileSync(path, [...rows, other].map((row) => JSON.stringify(row)).join('\n'));
    const before = await search(workspace, 'somebody alive there');

    const dry = await workspace.run('import', path, '--dry-run');
    const rememberedDry = (await workspace.status()).search.remembered;
    const first = await workspace.run('import', path);
    const second = await workspace.run('import', path);
    const after = await search(workspace, 'somebody alive there');

    expect(dry.stdout).toContain('7 executions would be new');
    expect(rememberedDry).toBe(0);
    expect(first.stdout).toContain('7 executions new, 0 known already, 0 skipped');
    expect(first.stdout).toContain('no server has them now (1): gone:tool');
    expect(first.stdout).toContain('Left out, no such tool (1): what is this');
    expect(first.stdout).toContain('Ranking: memory (words, meaning and memory): Hit@1');
    expect(second.stdout).toContain('0 executions new, 7 known already');
    expect(before.hits[0]?.tool).not.toBe('plain:environment');
    expect(after.hits[0]).toMatchObject({ tool: 'plain:environment', words: [] });
    expect(after.search).toMatchObject({ remembered: 7, ranking: { kind: 'memory' } });
  });

  test('search index can be rebuilt, and survives a daemon restart [INDEX-KEPT]', async () => {
    const { code, stdout } = await workspace.run('index', '--rebuild', '--json');
    const rebuilt = JSON.parse(stdout) as SearchStatus;
    await workspace.stop();
    const restarted = await workspace.run('restart');
    await expect
      .poll(async () => (await workspace.status()).search)
      .toMatchObject({ state: 'idle', indexed: TOOLS, waiting: 0 });
    const shown = await workspace.run('status');

    expect(code).toBe(0);
    expect(rebuilt).toMatchObject({ ok: true, indexed: TOOLS, waiting: 0 });
    expect(rebuilt.made.texts).toBeGreaterThanOrEqual(TOOLS);
    expect(restarted.code).toBe(0);
    expect(workspace.processes('model')).toEqual([]);
    expect((await workspace.status()).search.made.texts).toBe(0);
    expect(shown.stdout).toMatch(/search +gte-small\/int8\/1, not loaded/);
    expect(shown.stdout).toMatch(/indexed +6 of 6 tools/);
    expect(shown.stdout).toMatch(/memory +7 past requests/);
    expect(shown.stdout).toMatch(/ranking +memory .*Hit@1/);
  });
});

// covers: SEARCH-WORDS
test('search without a model finds tools by words, and says so', async () => {
  await using workspace = await Workspace.create({
    embedding: 'none',
    mcpServers: { plain: plain() },
  });
  const answer = await search(workspace, 'names of variables');
  const none = await workspace.run('search', 'names of variables');
  const nothingToDo = await workspace.run('index');

  workspace.configure({ embedding: './nowhere', mcpServers: { plain: plain() } });
  await expect.poll(async () => (await workspace.status()).search.state).toBe('failed');
  const missing = await workspace.run('search', 'names of variables');
  const index = await workspace.run('index');
  const status = await workspace.run('status');

  expect(answer).toMatchObject({ byMeaning: false, hits: [{ tool: 'plain:environment' }] });
  expect(none.stdout).toContain('Searched by words only: "embedding" is "none".');
  expect(nothingToDo).toMatchObject({ code: 0, stdout: expect.stringContaining('No model') });
  expect(workspace.processes('model')).toEqual([]);
  expect(missing.code).toBe(0);
  expect(missing.stdout).toContain('plain:environment');
  expect(missing.stdout).toMatch(/Searched by words only: .*nowhere\/model\.onnx is missing/);
  expect(index.code).toBe(1);
  expect(index.stderr).toMatch(/nowhere\/model\.onnx is missing[^]*Correct "embedding"/);
  expect(status.stdout).toMatch(/search +.*nowhere, failed: search by words only/);
  expect(status.stdout).toMatch(/nowhere\/model\.onnx is missing/);
});
