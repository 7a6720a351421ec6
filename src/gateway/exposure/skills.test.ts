import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { offlineSessions } from '../../../test/helpers/offline-sessions.js';
import { type JsonObject, runId, type ToolId } from '../../core/index.js';
import type { GatewaySettings } from '../../tools/settings.js';
import { passResource } from '../handlers/serve-resources.js';
import { serveSkills as serve } from '../handlers/serve-skills.js';
import { exportedSkills } from './skills.js';

const URI = 'skill://pml/read-both/SKILL.md';

async function sessionsWith(exposure: Partial<GatewaySettings['exposure']> = {}) {
  const whole = { mode: 'meta', pin: [], capabilities: [], skills: true, ...exposure } as const;
  const { sessions, tools, listRaw } = await offlineSessions(['fake'], {
    changes: { exposure: whole },
  });
  const reading = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
  listRaw('fake', [
    { name: 'read_a', ...reading },
    { name: 'read_b', ...reading },
  ]);
  const calls = ['fake:read_a', 'fake:read_b'].map((tool) => ({ tool: tool as ToolId, ok: true }));
  tools.capabilities.learn({
    code: 'await mcp.fake.read_a({}); return mcp.fake.read_b({})',
    intent: 'read both',
    run: runId('run_1'),
    calls,
    definitionOf: (tool) => tools.lockedDefinition(tool),
    ms: 1,
  });
  return sessions;
}

type Reader = Awaited<ReturnType<typeof sessionsWith>>;
const read = (sessions: Reader, uri: string, method = 'resources/read') =>
  passResource(sessions.within(undefined), method, { uri }, fakeClient('s').context);

const serveSkills = (sessions: Reader, method: 'skills/list' | 'skills/get', params: JsonObject) =>
  serve(sessions.within(undefined), method, params, fakeClient('s').context);

test('a skill is listed with the digest of the content that is read', async () => {
  const sessions = await sessionsWith();

  const { skills } = await serveSkills(sessions, 'skills/list', {});
  const { skill } = await serveSkills(sessions, 'skills/get', { uri: URI });
  const { contents } = (await read(sessions, URI)) as unknown as { contents: { text: string }[] };

  const text = contents[0]!.text;
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  expect(skills).toEqual([skill]);
  expect(skill).toMatchObject({
    uri: URI,
    frontmatter: { name: 'read-both' },
    resources: [{ uri: URI, digest, size: Buffer.byteLength(text) }],
  });
  expect(text).toContain('It only reads.');
  expect(sessions.skills.resources).toMatchObject([
    { uri: URI, name: 'read-both', mimeType: 'text/markdown' },
  ]);
});

test('only an offered capability is a skill', async () => {
  const sessions = await sessionsWith();

  sessions.tools.capabilities.disable('readBoth');

  expect(await serveSkills(sessions, 'skills/list', {})).toEqual({ skills: [] });
  await expect(serveSkills(sessions, 'skills/get', { uri: URI })).rejects.toMatchObject({
    code: -32602,
  });
  await expect(read(sessions, URI)).rejects.toMatchObject({ code: -32002 });
});

test('without meta-tools only a capability tool is a skill, and the skill runs that tool', async () => {
  const hidden = await sessionsWith({ mode: 'proxy' });
  const listed = await sessionsWith({ mode: 'proxy', capabilities: ['*'] });

  expect(hidden.skills.entries).toEqual([]);
  expect(JSON.stringify(await read(listed, URI))).toContain('Call the tool `cap__readBoth`');
  expect(JSON.stringify(await read(listed, URI))).not.toContain('pml_execute');
});

test('no capability is a skill where the configuration disables skills', async () => {
  const sessions = await sessionsWith({ skills: false });

  expect(sessions.skills.resources).toEqual([]);
  await expect(serveSkills(sessions, 'skills/list', {})).rejects.toMatchObject({ code: -32601 });
  await expect(read(sessions, URI)).rejects.toMatchObject({ code: -32002 });
});

test('a skill can be subscribed to, and only the list reports its changes', async () => {
  const sessions = await sessionsWith();

  expect(await read(sessions, URI, 'resources/subscribe')).toEqual({});
});

test('a capability is exported as a skill whether or not it is offered', async () => {
  const sessions = await sessionsWith({ mode: 'proxy', skills: false });
  sessions.tools.capabilities.disable('readBoth');

  const one = exportedSkills(sessions.tools, sessions.tools.capabilities.get('readBoth'));

  expect(exportedSkills(sessions.tools, undefined)).toEqual([]);
  expect(one).toMatchObject([{ name: 'read-both' }] as JsonObject[]);
  expect(one[0]!.text).toContain('pml_execute_workflow');
});
