import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, test } from 'vitest';

import { guardedFetch } from './guarded-fetch.js';

const NAMES: Readonly<Record<string, string>> = {
  'mcp.example': '203.0.113.7',
  'intranet.example': '10.0.0.7',
  'here.example': '127.0.0.1',
};

/** What names resolve to, and how often each was looked up. */
function names(changes: Readonly<Record<string, readonly string[]>> = {}) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    const before = asked.filter((one) => one === host).length;
    asked.push(host);
    const address = changes[host]?.[before] ?? NAMES[host];
    if (address === undefined) throw new Error('ENOTFOUND');
    return [{ address, family: 4 }];
  };
  return { asked, resolve };
}

const fetchFor = (serverUrl: string, allowPrivateAddresses = false) =>
  guardedFetch({ serverUrl, allowPrivateAddresses, resolve: names().resolve });

// covers: AUTH-SSRF
describe('an address that a server names', () => {
  test.each([
    ['https://127.0.0.1/token', /loopback address/],
    ['https://[::1]/token', /loopback address/],
    ['https://169.254.169.254/latest/meta-data', /link-local address/],
    ['https://intranet.example/token', /private address/],
    ['http://mcp.example/token', /only https/],
    ['http://intranet.example/token', /only https/],
    ['https://unknown.example/token', /unknown/],
  ])('%s of a public server is refused', async (address, why) => {
    await expect(fetchFor('https://mcp.example/mcp')(address)).rejects.toThrow(why);
  });

  test('a server on this machine may name addresses of this machine, but not of its network', async () => {
    const near = fetchFor('http://here.example/mcp');

    await expect(near('https://10.0.0.7/token')).rejects.toThrow(/private address/);
    await expect(near('http://127.0.0.1:9/token')).rejects.toThrow(/does not answer/);
  });

  test('the user may allow private addresses', async () => {
    const allowed = fetchFor('https://mcp.example/mcp', true);

    await expect(allowed('https://127.0.0.1:9/token')).rejects.toThrow(/does not answer/);
  });
});

async function listen(answer: (path: string) => { status?: number; body: string }) {
  const server = createServer((request, response) => {
    const { status = 200, body } = answer(request.url ?? '');
    response.writeHead(status, { location: '/again' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

test('PML connects to the address that it checked, whatever the name resolves to later', async () => {
  await using server = await listen(() => ({ body: 'checked' }));
  const { resolve, asked } = names({ 'here.example': ['127.0.0.1', '127.0.0.1', '10.9.9.9'] });
  const guarded = guardedFetch({
    serverUrl: 'http://here.example/mcp',
    allowPrivateAddresses: false,
    resolve,
  });

  const response = await guarded(`http://here.example:${server.port}/`);

  expect(await response.text()).toBe('checked');
  expect(asked).toHaveLength(2);
});

test('an answer longer than a megabyte is refused', async () => {
  await using server = await listen(() => ({ body: 'x'.repeat(1_000_001) }));
  const near = fetchFor('http://here.example/mcp');

  await expect(near(`http://127.0.0.1:${server.port}/`)).rejects.toThrow(/megabyte/);
});

test('a redirect is handed over and not followed', async () => {
  await using server = await listen(() => ({ status: 302, body: '' }));

  const response = await fetchFor('http://here.example/mcp')(`http://127.0.0.1:${server.port}/`);

  expect(response.status).toBe(302);
});
