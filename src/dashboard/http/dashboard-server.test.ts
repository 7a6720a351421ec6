import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { type JsonObject, PmlError, silentLogger } from '../../core/index.js';
import { EventHub } from '../live/event-hub.js';
import { SignIns } from '../sign-ins.js';
import { DashboardServer } from './dashboard-server.js';
import { SERVED_METHODS } from './served-methods.js';
import { loadWebFiles } from './web-files.js';

const SECRET = 'the number of the safe is 7719';
const NAME = 'pml_test';
const asked: string[] = [];

let server: DashboardServer;
let signIns: SignIns;
let own: Record<string, string>;
let temporary: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  temporary = await temporaryFolder();
  const folder = temporary.path;
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>PML</title>');
  writeFileSync(join(folder, 'assets', 'main-abc.js'), 'export {};');
  writeFileSync(join(folder, 'assets', 'main-abc.js.gz'), gzipSync('export {};'));
  signIns = new SignIns({ sessions: [], save: () => {}, now: () => Date.now() });
  server = new DashboardServer({
    port: 0,
    name: NAME,
    files: loadWebFiles(folder),
    signIns,
    hub: new EventHub({
      // Tests look for the secret in everything that is sent.
      snapshot: () => Promise.resolve({ status: SECRET } as never),
      watch: () => () => {},
      log: silentLogger,
    }),
    ask: (method, params) => {
      asked.push(`${method} ${JSON.stringify(params)}`);
      if (method === 'explain') throw new PmlError('BAD_REQUEST', 'say what is wanted');
      return Promise.resolve({ secret: SECRET });
    },
    log: silentLogger,
  });
  await server.listen();
  const { token } = signIns.issueToken();
  const signedIn = await send('GET', `/ui/sign-in?token=${token}`, { host: host() });
  own = {
    host: host(),
    origin: `http://${host()}`,
    cookie: signedIn.cookie,
    'sec-fetch-site': 'same-origin',
    'x-pml-dashboard': '1',
    'content-type': 'application/json',
  };
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await temporary[Symbol.asyncDispose]();
});

const host = () => `127.0.0.1:${server.port}`;

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly cookie: string;
  readonly body: string;
}

/** Unlike `fetch`, this sends any path, Host and Origin. Of a stream it reads the first message. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '{}',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: server.port, method, path, headers },
      (response) => {
        let text = '';
        const end = () => {
          const [cookie = ''] = response.headers['set-cookie'] ?? [];
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            cookie: cookie.split(';')[0] ?? '',
            body: text,
          });
        };
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (!text.includes('\n\n')) return;
          end();
          request.destroy();
        });
        response.on('end', end);
      },
    );
    request.once('error', reject);
    request.end(method === 'POST' ? body : undefined);
  });
}

const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));

const ROUTES: readonly (readonly [string, string])[] = [
  ...[...SERVED_METHODS].map((method) => ['POST', `/api/${method}`] as const),
  ['POST', '/api/sign-out'],
  ['GET', '/api/events'],
];

/** What is wrong with a request, and its headers then. */
const FOREIGN: Readonly<Record<string, () => Record<string, string>>> = {
  'no cookie': () => without('cookie'),
  'a made-up cookie': () => ({ ...own, cookie: `${NAME}=made-up` }),
  'the cookie of another daemon': () => ({ ...own, cookie: own['cookie']!.replace(NAME, 'pml_x') }),
  'another Host': () => ({ ...own, host: `evil.example:${server.port}` }),
  'no port in Host': () => ({ ...own, host: '127.0.0.1' }),
  'a foreign Origin': () => ({ ...own, origin: 'https://evil.example' }),
  'the Origin null': () => ({ ...own, origin: 'null' }),
  'the Origin of another port': () => ({ ...own, origin: 'http://127.0.0.1:1' }),
  'a request of another site': () => ({ ...own, 'sec-fetch-site': 'cross-site' }),
  'a request of another port of this machine': () => ({ ...own, 'sec-fetch-site': 'same-site' }),
  'an address that was typed': () => ({ ...own, 'sec-fetch-site': 'none' }),
  'no header of the page': () => without('x-pml-dashboard', 'sec-fetch-site'),
};

// covers: UI-SIGNED-IN
describe.each(Object.entries(FOREIGN))('with %s', (_what, headers) => {
  test.each(ROUTES)('%s %s gets no data', async (method, path) => {
    const before = asked.length;

    const { status, body } = await send(method, path, headers());

    expect([401, 403]).toContain(status);
    expect(body).not.toContain(SECRET);
    expect(asked).toHaveLength(before);
  });
});

test('a POST without Origin or without the header of the page changes nothing', async () => {
  const before = asked.length;

  const replies = await Promise.all(
    [without('origin'), without('x-pml-dashboard')].map((headers) =>
      send('POST', '/api/run-decide', headers, '{"run":"run_1","decision":"approve"}'),
    ),
  );

  expect(replies.map(({ status }) => status)).toEqual([403, 403]);
  expect(asked).toHaveLength(before);
});

test('a signed-in page gets data and the stream', async () => {
  const [status, events] = await Promise.all([
    send('POST', '/api/status', own),
    send('GET', '/api/events', own),
  ]);

  expect(status).toMatchObject({ status: 200 });
  expect(status.body).toContain(SECRET);
  expect(events.headers['content-type']).toContain('text/event-stream');
  expect(events.body).toContain(SECRET);
});

test.each(['stop', 'http-open', 'ui-open', 'import', 'toString', '__proto__', '../status'])(
  'the method %s is not served',
  async (method) => {
    const before = asked.length;

    const { status } = await send('POST', `/api/${method}`, own);

    expect(status).toBe(404);
    expect(asked).toHaveLength(before);
  },
);

test('a browser starts capabilities only, and loosens no approval', async () => {
  const start = (params: JsonObject) => send('POST', '/api/run-start', own, JSON.stringify(params));

  const refused = await start({ tasks: [{ tool: 'a:b' }] });
  await start({ capability: 'sum', args: { a: 1 }, userApprove: 'never', approve: 'never' });

  expect(refused.status).toBe(400);
  expect(asked.at(-1)).toBe('run-start {"capability":"sum","args":{"a":1}}');
});

test('an error comes with its code, and a body that is no JSON object is refused', async () => {
  const failed = await send('POST', '/api/explain', own);
  const broken = await send('POST', '/api/status', own, '[1');
  const typed = await send('POST', '/api/status', { ...own, 'content-type': 'text/plain' });
  const long = await send('POST', '/api/status', own, `{"a":"${'x'.repeat(1_100_000)}"}`);

  expect(JSON.parse(failed.body)).toEqual({
    error: { code: 'BAD_REQUEST', message: 'say what is wanted' },
  });
  expect([failed, broken, typed, long].map(({ status }) => status)).toEqual([400, 400, 415, 413]);
});

// covers: UI-ONE-TIME
test('a token signs in once, and its cookie is for this site alone', async () => {
  const { token } = signIns.issueToken();
  const path = `/ui/sign-in?token=${token}`;

  const first = await send('GET', path, { host: host() });
  const second = await send('GET', path, { host: host() });

  expect(first).toMatchObject({ status: 303, headers: { location: '/ui/' } });
  expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  expect(second.status).toBe(403);
  expect(second.headers['set-cookie']).toBeUndefined();
});

test('a browser that signs out gets no data', async () => {
  const { token } = signIns.issueToken();
  const { cookie } = await send('GET', `/ui/sign-in?token=${token}`, { host: host() });

  const out = await send('POST', '/api/sign-out', { ...own, cookie });
  const after = await send('POST', '/api/status', { ...own, cookie });

  expect([out.status, after.status]).toEqual([200, 401]);
});

test('the page is served without data, every view at its own address, and assets for ever', async () => {
  const page = await send('GET', '/ui/', { host: host() });
  const view = await send('GET', '/ui/runs/run_1?tab=dag', { host: host() });
  const asset = await send('GET', '/ui/assets/main-abc.js', {
    host: host(),
    'accept-encoding': 'br, gzip',
  });
  const gone = await send('GET', '/ui/assets/main-old.js', { host: host() });

  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'self';.*frame-ancestors 'none'/);
  expect(policy).not.toContain('unsafe');
  expect(view.body).toBe(page.body);
  expect(asset.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(gone.status).toBe(404);
});

test.each([
  '/ui/../../etc/passwd',
  '/ui/%2e%2e/%2e%2e/etc/passwd',
  '/ui/assets/../../secret.js',
  '/ui/assets/..%2f..%2fsecret.js',
  '/ui/..\\..\\secret',
  '//ui/',
  '/mcp',
])('no path leads out of the page: %s', async (path) => {
  const { status, body } = await send('GET', path, { host: host() });

  expect(status === 404 || body.startsWith('<!doctype html>')).toBe(true);
});
