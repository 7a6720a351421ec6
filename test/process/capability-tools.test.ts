/** Capabilities as tools and as Skills, for clients of both eras; and their verification. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';

import type { CapabilityRow, VerifiedCapability } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { CLIENT_RULES, type ListedTool } from '../helpers/client-schema-rules.js';
import { runCode, scriptServers } from '../helpers/code-client.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

const CHANGING = fileURLToPath(new URL('../fixtures/changing-server.mjs', import.meta.url));
const ListedSkills = z.looseObject({
  skills: z.array(
    z.object({
      uri: z.string(),
      frontmatter: z.looseObject({ name: z.string() }),
      resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
    }),
  ),
});

let workspace: Workspace;
let first: PmlClient;

const setState = (state: object) =>
  writeFileSync(join(workspace.path, 'state.json'), JSON.stringify(state));
const control = async (method: string, params = {}) =>
  (await askDaemon(workspace.dataDir, method, params)) as unknown;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  const { one } = scriptServers({ root: workspace.path, ledger: 'ledger' });
  const env = { STATE: join(workspace.path, 'state.json') };
  workspace.configure({
    embedding: 'none',
    // These calls pass no arguments, so capabilities use the values they were learned with.
    workflows: { guesses: 'show' },
    exposure: { capabilities: ['look*', 'note*'] },
    mcpServers: { one, book: { command: process.execPath, args: [CHANGING], env } },
  });
  first = await workspace.connect();
  await first.request('tools/list');
  await runCode(
    first,
    `const a = await mcp.book.lookup({ name: 'Ada' }); return [a.number, (await mcp.book.lookup({ name: 'Bo' })).number]`,
    { intent: 'look up numbers' },
  );
  await runCode(
    first,
    `const { number } = await mcp.book.lookup({ name: 'Ada' }); return await mcp.one.append({ key: 'n' + number })`,
    { intent: 'note number' },
  );
  await vi.waitFor(async () => {
    const { capabilities } = (await control('capabilities')) as { capabilities: CapabilityRow[] };
    if (capabilities.length < 2) throw new Error('not everything was learned');
  });
});

afterAll(() => workspace[Symbol.asyncDispose]());

test.each(CLIENT_RULES)('%s accepts every listed tool [MENU-STRICT]', async (_, rules) => {
  const { result } = await first.request('tools/list');

  const tools = result?.['tools'] as ListedTool[];

  expect(tools.length).toBeGreaterThanOrEqual(5);
  expect(tools.flatMap((tool) => rules(tool))).toEqual([]);
});

test.each(['legacy', 'modern'] as const)(
  '%s client gets capabilities as tools and as Skills',
  async (era) => {
    await using client = await connectSdk(workspace, { era });

    const { tools } = await client.listTools();
    const called = await client.callTool({
      name: 'cap__lookUpNumbers',
      arguments: { name: 'Grace' },
    });
    const { skills } = await client.request({ method: 'skills/list', params: {} }, ListedSkills);
    const { resources } = await client.listResources();
    const uri = 'skill://pml/look-up-numbers/SKILL.md';
    const { contents } = await client.readResource({ uri });

    expect(tools.slice(5)).toMatchObject([
      { name: 'cap__lookUpNumbers', annotations: { readOnlyHint: true } },
      { name: 'cap__noteNumber', annotations: { destructiveHint: true } },
    ]);
    expect(resultText(called)).toMatch(
      /^\[555,222\]\nfilled: t1\.lookupName = "Bo" \(lifted default/,
    );
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { 'io.modelcontextprotocol/skills': {} },
    });
    expect(resources.map((one) => one.uri)).toEqual(skills.map((one) => one.uri));
    const text = (contents[0] as { text: string }).text;
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    expect(skills[0]).toMatchObject({ uri, resources: [{ uri, digest }] });
    expect(text).toContain('Call the tool `cap__lookUpNumbers`');
    await expect(
      client.request({ method: 'skills/get', params: { uri: 'skill://pml/x/SKILL.md' } }, z.any()),
    ).rejects.toMatchObject({ code: -32602 });
  },
);

test('connected client keeps its tool list when PML learns a capability', async () => {
  const { result } = await first.request('tools/list');

  expect(result?.['tools']).toHaveLength(5);
});

test('quarantined capability says so; verify re-runs it if it only reads and otherwise asks for --run', async () => {
  setState({ isBroken: true });
  for (const capability of ['lookUpNumbers', 'noteNumber']) {
    for (let time = 0; time < 3; time++) {
      await first.call('pml_execute_workflow', { capability, args: {} });
    }
  }
  const blocked = await first.call('cap__lookUpNumbers');
  const failed = await control('capabilities-verify', { name: 'lookUpNumbers' });
  setState({});
  const { verified } = (await control('capabilities-verify')) as { verified: VerifiedCapability[] };
  const told = await workspace.run('capabilities', 'verify', 'noteNumber', '--run', '--json');

  expect(textOf(blocked)).toMatch(/TOOL_BLOCKED.*quarantined: it failed 3 times.*verify lookUpN/);
  expect(failed).toMatchObject({ verified: [{ kind: 'failed' }] });
  expect(verified).toMatchObject([
    { name: 'lookUpNumbers', kind: 'proven' },
    { name: 'noteNumber', kind: 'needs-run', tools: ['one:append'] },
  ]);
  expect(JSON.parse(told.stdout)).toMatchObject({ verified: [{ kind: 'proven' }] });
  expect(readFileSync(join(workspace.path, 'ledger'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test('export writes capabilities as folders for agents that read Skills from disk', async () => {
  const folder = join(workspace.path, 'skills');

  const { stdout } = await workspace.run('capabilities', 'export', 'noteNumber', '--skill', folder);

  const file = join(folder, 'note-number', 'SKILL.md');
  expect(stdout.trim()).toBe(file);
  expect(readFileSync(file, 'utf8')).toMatch(/^---\nname: "note-number"\n/);
});
