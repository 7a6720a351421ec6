/** Skills of servers behind PML: listed, looked up and read through PML, in both eras. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { modernClient } from '../helpers/modern-client.js';
import type { Answer, PmlClient } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

interface Skill {
  readonly uri: string;
  readonly frontmatter: { readonly name: string; readonly description: string };
  readonly resources: readonly { readonly uri: string; readonly digest: string }[];
}

const SERVER = fileURLToPath(new URL('../fixtures/skills-server.mjs', import.meta.url));
const server = (name: string) => ({
  command: process.execPath,
  args: [SERVER],
  env: { NAME: name },
});
const FIRST = 'skill://shop/refunds/SKILL.md';
const SECOND = 'skill://two/shop/refunds/SKILL.md';

let workspace: Workspace;
let client: PmlClient;

beforeAll(async () => {
  workspace = await Workspace.create({
    exposure: 'meta',
    mcpServers: { one: server('one'), two: server('two') },
    permissions: { deny: ['two:skill://pml/*'] },
  });
  client = await workspace.connect();
});

afterAll(() => workspace[Symbol.asyncDispose]());

const skillsIn = ({ result }: Answer) => (result?.['skills'] ?? []) as Skill[];
const textOf = ({ result }: Answer) =>
  ((result?.['contents'] ?? []) as { text?: string }[])[0]?.text ?? '';

// covers: SKILLS-SERVERS
test('skills of servers are listed, every file is read through PML, and digests hold', async () => {
  const skills = skillsIn(await client.request('skills/list'));
  const modern = await modernClient(client, {}).request('skills/list');

  expect(skills.map(({ uri }) => uri)).toEqual([FIRST, 'skill://one/pml/sneaky/SKILL.md', SECOND]);
  expect(skillsIn(modern)).toEqual(skills);
  for (const { resources, uri } of skills) {
    expect(resources.some((file) => file.uri === uri)).toBe(true);
    for (const file of resources) {
      const read = await client.request('resources/read', { uri: file.uri });
      const digest = createHash('sha256').update(textOf(read)).digest('hex');
      expect(file.digest).toBe(`sha256:${digest}`);
      expect(read.result).toMatchObject({ contents: [{ uri: file.uri }] });
    }
  }
});

test('skill is looked up by its address, also if its server does not list it', async () => {
  const second = await client.request('skills/get', { uri: SECOND });
  const hidden = await client.request('skills/get', { uri: 'skill://shop/hidden/SKILL.md' });
  const unknown = await client.request('skills/get', { uri: 'skill://shop/none/SKILL.md' });

  expect(second.result).toMatchObject({
    skill: { uri: SECOND, frontmatter: { description: 'How two does refunds' } },
  });
  expect(hidden.result).toMatchObject({ skill: { frontmatter: { name: 'hidden' } } });
  expect(unknown.error).toMatchObject({ code: -32602 });
});

test('client that listed nothing reads the file of a skill, and no other file', async () => {
  await using fresh = await Workspace.create({
    exposure: 'meta',
    mcpServers: { one: server('one'), two: server('two') },
  });
  const other = await fresh.connect();

  const guide = await other.request('resources/read', {
    uri: 'skill://two/shop/refunds/references/GUIDE.md',
  });
  const none = await other.request('resources/read', { uri: 'skill://elsewhere/x.md' });

  expect(textOf(guide)).toBe('The guide of two');
  expect(none.error).toMatchObject({ code: -32002 });
});
