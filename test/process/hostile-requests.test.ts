/** Hostile requests: arguments too deep, foreign resource URIs, denied tools. */
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serveHttp } from '../helpers/http-gateway.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { plain, Workspace } from '../helpers/workspace.js';

const TALK = fileURLToPath(new URL('../fixtures/talkative-server.mjs', import.meta.url));
const talk = { command: process.execPath, args: [TALK, 'legacy'] };

/** `[[[…]]]` as text, since no serializer could write it. */
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const echo = (id: number, levels: number, meta = '') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"plain__echo","arguments":{"text":"hi","deep":${nested(levels)}}${meta}}}`;
const MODERN_META =
  ',"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}';

interface Answer {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: object;
}

const tooDeep = {
  code: -32602,
  message: expect.stringMatching(/nest more than \d+ levels deep/) as string,
};

describe('arguments that nest', () => {
  let workspace: Workspace;
  let http: Awaited<ReturnType<typeof serveHttp>>;

  beforeAll(async () => {
    workspace = await Workspace.create({
      exposure: 'hybrid',
      mcpServers: { plain: plain(), talk },
    });
    http = await serveHttp(workspace);
  });

  afterAll(async () => {
    await http[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
  });

  const headers = () => ({
    ...http.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });

  async function post(body: string, more: Record<string, string>): Promise<Answer> {
    const response = await fetch(http.url, {
      method: 'POST',
      headers: { ...headers(), ...more },
      body,
    });
    const text = await response.text();
    const data = text.match(/^data: (\{.*)$/m)?.[1] ?? text;
    return JSON.parse(data) as Answer;
  }

  async function openSession(): Promise<Record<string, string>> {
    const body = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`;
    const response = await fetch(http.url, { method: 'POST', headers: headers(), body });
    await response.text();
    return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  }

  /** Sends a line of text as it is and waits for the answer with this id. */
  function sendLine(client: PmlClient, id: number, line: string): Promise<Answer> {
    return new Promise((resolve) => {
      let text = '';
      client.child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const found = text.split('\n').find((one) => one.includes(`"id":${id}`));
        if (found) resolve(JSON.parse(found) as Answer);
      });
      client.child.stdin?.write(`${line}\n`);
    });
  }

  // covers: DEEP-REFUSED
  test.each([300, 5_000, 100_000])(
    'arguments %i levels deep are refused on every transport',
    async (levels) => {
      const client = await workspace.connect();
      const session = await openSession();
      const modern = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'plain__echo',
      };

      const answers = [
        await sendLine(client, 71, echo(71, levels)),
        await post(echo(72, levels), session),
        await post(echo(73, levels, MODERN_META), modern),
      ];

      expect(answers.map(({ error }) => error)).toEqual([tooDeep, tooDeep, tooDeep]);
      expect(await client.text('plain__echo', { text: 'still there' })).toBe('still there');
    },
  );

  test('arguments of ordinary depth reach the server', async () => {
    const client = await workspace.connect();

    const { error, result } = await sendLine(client, 74, echo(74, 100));

    expect(error).toBeUndefined();
    expect(JSON.stringify(result)).toContain('hi');
  });
});

describe('addresses of resources', () => {
  // covers: RESOURCE-LISTED
  test('resource URIs that no server lists and no template covers reach no server', async () => {
    await using workspace = await Workspace.create({ exposure: 'proxy', mcpServers: { talk } });
    const client = await workspace.connect();
    const read = async (uri: string) => (await client.request('resources/read', { uri })).error;

    for (const uri of [
      'file:///etc/passwd',
      'talk://unlisted/secret',
      'pml://server/talk/file%3A%2F%2F%2Fetc%2Fpasswd',
    ]) {
      expect(await read(uri)).toMatchObject({ message: expect.stringContaining(uri) as string });
    }
    expect(await read('talk://note')).toBeUndefined();
    expect(await read('talk://item/7')).toBeUndefined();
  });

  // covers: DENY-ALL-KINDS
  test('resources and prompts of a denied server are hidden with its tools', async () => {
    await using workspace = await Workspace.create({
      exposure: 'proxy',
      mcpServers: { plain: plain(), talk },
      permissions: { deny: ['talk:*'] },
    });
    const client = await workspace.connect();
    const ask = async (method: string, params = {}) => client.request(method, params);

    const lists = JSON.stringify([
      (await ask('tools/list')).result,
      (await ask('resources/list')).result,
      (await ask('resources/templates/list')).result,
      (await ask('prompts/list')).result,
    ]);

    expect(lists).not.toContain('talk');
    expect((await ask('resources/read', { uri: 'talk://note' })).error).toBeDefined();
    expect((await ask('prompts/get', { name: 'talk__greet' })).error).toBeDefined();
    expect((await ask('resources/read', { uri: 'plain://fast' })).error).toBeUndefined();
  });
});
