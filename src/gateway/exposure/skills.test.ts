import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { fakeClient, runGateway } from '../../../test/helpers/run-gateway.js';
import { type JsonObject, runId, type ToolId } from '../../core/index.js';
import type { GatewaySettings } from '../../tools/settings.js';
import { passResource } from '../handlers/serve-resources.js';
import { serveSkills } from '../handlers/serve-skills.js';
import { exportedSkills } from './skills.js';

const URI = 'skill://pml/read-both/SKILL.md';

async function gatewayWith(exposure: Partial<GatewaySettings['exposure']> = {}) {
  const whole = { mode: 'meta', pin: [], capabilities: [], skills: true, ...exposure } as const;
  const { gateway } = await runGateway({ changes: { exposure: whole } });
  const calls = ['fake:read_a', 'fake:read_b'].map((tool) => ({ tool: tool as ToolId, ok: true }));
  gateway.capabilities.learn({
    code: 'await mcp.fake.read_a({}); return mcp.fake.read_b({})',
    intent: 'read both',
    run: runId('run_1'),
    calls,
    definitionOf: (tool) => gateway.lockedDefinition(tool),
    ms: 1,
  });
  return gateway;
}

type Reader = Awaited<ReturnType<typeof gatewayWith>>;
const read = (gateway: Reader, uri: string, method = 'resources/read') =>
  passResource(gateway, method, { uri }, fakeClient('s').context);

test('a skill is listed with the digest of what is read', async () => {
  const gateway = await gatewayWith();

  const { skills } = await serveSkills(gateway, 'skills/list', {});
  const { skill } = await serveSkills(gateway, 'skills/get', { uri: URI });
  const { contents } = (await read(gateway, URI)) as unknown as { contents: { text: string }[] };

  const text = contents[0]!.text;
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  expect(skills).toEqual([skill]);
  expect(skill).toMatchObject({
    uri: URI,
    frontmatter: { name: 'read-both' },
    resources: [{ uri: URI, digest, size: Buffer.byteLength(text) }],
  });
  expect(text).toContain('It only reads.');
  expect(gateway.skills.resources).toMatchObject([
    { uri: URI, name: 'read-both', mimeType: 'text/markdown' },
  ]);
});

test('only what is offered is a skill', async () => {
  const gateway = await gatewayWith();

  gateway.capabilities.disable('readBoth');

  expect(await serveSkills(gateway, 'skills/list', {})).toEqual({ skills: [] });
  await expect(serveSkills(gateway, 'skills/get', { uri: URI })).rejects.toMatchObject({
    code: -32602,
  });
  await expect(read(gateway, URI)).rejects.toMatchObject({ code: -32002 });
});

test('without meta-tools only what is a tool is a skill, and is run by it', async () => {
  const hidden = await gatewayWith({ mode: 'proxy' });
  const listed = await gatewayWith({ mode: 'proxy', capabilities: ['*'] });

  expect(hidden.skills.entries).toEqual([]);
  expect(JSON.stringify(await read(listed, URI))).toContain('Call the tool `cap__readBoth`');
  expect(JSON.stringify(await read(listed, URI))).not.toContain('pml_execute');
});

test('nothing is a skill where the configuration says so', async () => {
  const gateway = await gatewayWith({ skills: false });

  expect(gateway.skills.resources).toEqual([]);
  await expect(serveSkills(gateway, 'skills/list', {})).rejects.toMatchObject({ code: -32601 });
  await expect(read(gateway, URI)).rejects.toMatchObject({ code: -32002 });
});

test('can be watched, which says nothing that the list does not', async () => {
  const gateway = await gatewayWith();

  expect(await read(gateway, URI, 'resources/subscribe')).toEqual({});
});

test('one is exported whether or not it is offered', async () => {
  const gateway = await gatewayWith({ mode: 'proxy', skills: false });
  gateway.capabilities.disable('readBoth');

  const one = exportedSkills(gateway, gateway.capabilities.get('readBoth'));

  expect(exportedSkills(gateway, undefined)).toEqual([]);
  expect(one).toMatchObject([{ name: 'read-both' }] as JsonObject[]);
  expect(one[0]!.text).toContain('pml_execute_workflow');
});
