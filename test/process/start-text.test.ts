/** What `npm start` prints must work as it is pasted. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';

import { relayCommand, serveHttp } from '../helpers/http-gateway.js';
import { Workspace } from '../helpers/workspace.js';

interface Welcome {
  readonly headersOf: (printed: string) => Record<string, string> | undefined;
  readonly welcome: (parts: object) => string;
}

interface Entry {
  readonly type?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly command?: string;
  readonly args?: string[];
}

const script = new URL('../../scripts/welcome.mjs', import.meta.url).href;
const { headersOf, welcome } = (await import(script)) as Welcome;
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The words of a printed command, as a shell and the program it starts see them. */
function wordsOf(command: string, workspace: Workspace): readonly string[] {
  const bin = join(workspace.path, 'bin');
  mkdirSync(bin, { recursive: true });
  const fake = join(bin, 'claude');
  writeFileSync(fake, `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)))`);
  chmodSync(fake, 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  return JSON.parse(execFileSync('sh', ['-c', command], { env, encoding: 'utf8' })) as string[];
}

async function listTools(entry: Entry, workspace: Workspace): Promise<number> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = entry.url
    ? new StreamableHTTPClientTransport(new URL(entry.url), {
        requestInit: { headers: { ...entry.headers } },
      })
    : new StdioClientTransport({
        command: entry.command ?? '',
        args: entry.args ?? [],
        env: relayCommand(workspace).env,
        stderr: 'ignore',
      });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

test.each([
  ['with a token made at the first start', {}],
  ['without a token where the user says so', { http: { token: false } }],
])('every printed entry and command works as it is, %s', async (_, settings) => {
  await using workspace = await Workspace.create({ mcpServers: {}, ...settings });
  await using http = await serveHttp(workspace);

  const headers = headersOf(http.printed);
  const text = welcome({ url: http.url, headers, cli, config: workspace.configPath });

  const entries = [...text.matchAll(/mcp\.json\s+(\{.*\})$/gm)].map(([, json = '']) => {
    const { mcpServers, servers } = JSON.parse(json) as Record<string, { pml: Entry }>;
    return (mcpServers ?? servers)!.pml;
  });
  const commands = [...text.matchAll(/Claude Code\s+(.+)$/gm)].map(([, one = '']) => one);
  const [overHttp = [], overStdio = []] = commands.map((one) => wordsOf(one, workspace));
  expect(entries.map(({ type }) => type)).toEqual([undefined, 'http', undefined, 'stdio']);
  for (const entry of entries) expect(await listTools(entry, workspace)).toBe(5);
  const given = Object.entries(headers ?? {}).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  expect(overHttp).toEqual(['mcp', 'add', '--transport', 'http', 'pml', http.url, ...given]);
  const [, , , dashes, command, ...args] = overStdio;
  expect(dashes).toBe('--');
  expect(await listTools({ command: command ?? '', args }, workspace)).toBe(5);
  expect(entries[0]?.headers).toEqual(headers);
});
