import { once } from 'node:events';
/** Calls that end without a response: their error code, and whether they had left. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { serverSpec } from '../../test/helpers/gateway-settings.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import {
  IN_DOUBT_CODES,
  type JsonObject,
  PmlError,
  type ServerSpec,
  serverName,
  silentLogger,
  THE_USER,
  wasRefused,
} from '../core/index.js';
import type { RpcRequest } from '../rpc/index.js';
import type { Caller } from './caller.js';
import { ServerPool } from './server-pool.js';

const COUNTER = fileURLToPath(new URL('../../test/fixtures/counter-server.mjs', import.meta.url));
const NAME = serverName('one');
const caller: Caller = {
  session: 's',
  principal: THE_USER,
  user: 's',
  era: 'legacy',
  info: {},
  capabilities: {},
  ask: () => Promise.reject(new Error('nobody asks')),
  tell: () => {},
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let pool: ServerPool;

/** How remote servers handle a call, by the path of their address. */
const ENDS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/cut': (response) => response.destroy(),
  '/broken': (response) => response.writeHead(502).end(),
  '/refusing': (response) => response.writeHead(403).end(),
};

const remote: Server = createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  void json(request).then((message) => {
    const { id, method } = message as RpcRequest;
    if (method === 'tools/call') return ENDS[request.url ?? '']?.(response);
    if (id === undefined) return response.writeHead(202).end();
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});

beforeAll(async () => {
  folder = await temporaryFolder();
  remote.listen(0, '127.0.0.1');
  await once(remote, 'listening');
});

afterAll(async () => {
  await pool.close(new Error('test ended'));
  remote.closeAllConnections();
  remote.close();
  await folder[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await pool?.close(new Error('next test'));
  pool = new ServerPool(
    {
      dataDir: folder.path,
      environment: process.env,
      clientInfo: { name: 'test', version: '0' },
      limits: {
        callTimeoutMs: 20_000,
        startTimeoutMs: 20_000,
        idleStopMs: 0,
        serverConcurrency: 1,
        backgroundStarts: 1,
        messageBytes: 10_000,
        tools: 100,
      },
      log: silentLogger,
      now: Date.now,
      knownEras: () => ['legacy'],
    },
    { listed: () => {}, notified: () => {} },
  );
});

const stdio = (changes: Partial<ServerSpec> = {}): ServerSpec =>
  ({
    ...serverSpec('one'),
    command: process.execPath,
    args: [COUNTER],
    env: { LEDGER: join(folder.path, 'ledger') },
    ...changes,
  }) as ServerSpec;

function http(path: string): ServerSpec {
  const {
    command: _,
    args: _args,
    env: _env,
    cwd: _cwd,
    ...common
  } = stdio() as never as JsonObject;
  const url = `http://127.0.0.1:${(remote.address() as AddressInfo).port}${path}`;
  return { ...common, kind: 'http', url, headers: {} } as never as ServerSpec;
}

const use = (spec: ServerSpec) => pool.configure(new Map([[NAME, spec]]));

interface Outcome {
  readonly code: string | undefined;
  readonly hasLeft: boolean;
}

interface Made {
  readonly left: Promise<void>;
  readonly outcome: Promise<Outcome>;
}

/** Makes a call that gets no response. */
function call(
  name: string,
  args: JsonObject,
  rest: { signal?: AbortSignal; timeoutMs?: number } = {},
): Made {
  let hasLeft = false;
  let onSent: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    onSent = () => {
      hasLeft = true;
      resolve();
    };
  });
  const outcome = pool
    .get(NAME)
    .request('tools/call', { name, arguments: args }, { caller, ...rest, onSent })
    .then(
      () => ({ code: undefined, hasLeft }),
      (error: unknown) => {
        const { code } = error instanceof PmlError ? error : { code: String(error) };
        return { code, hasLeft: hasLeft && !wasRefused(error) };
      },
    );
  return { left, outcome };
}

describe('a call that had left [CALL-IN-DOUBT]', () => {
  const hang = () => call('hang', { key: 'k' });
  const cases: readonly (readonly [how: string, code: string, make: () => Promise<Made>])[] = [
    ['its server exits', 'SERVER_CRASHED', async () => call('crash', { key: `c${Date.now()}` })],
    [
      'it takes too long',
      'TOOL_TIMED_OUT',
      async () => call('hang', { key: 'k' }, { timeoutMs: 50 }),
    ],
    [
      'the caller cancels it',
      'CALL_CANCELLED',
      async () => {
        const stop = new AbortController();
        const made = call('hang', { key: 'k' }, { signal: stop.signal });
        await made.left;
        stop.abort();
        return made;
      },
    ],
    [
      'its server is reconfigured',
      'SERVER_DISABLED',
      async () => {
        const made = hang();
        await made.left;
        await use(stdio({ configHash: 'changed' }));
        return made;
      },
    ],
    [
      'its server is no longer configured',
      'SERVER_DISABLED',
      async () => {
        const made = hang();
        await made.left;
        await pool.configure(new Map());
        return made;
      },
    ],
    [
      'its client leaves',
      'SERVER_DISABLED',
      async () => {
        await use(stdio({ isolation: 'per-client' }));
        const made = hang();
        await made.left;
        await pool.release(caller.session);
        return made;
      },
    ],
    [
      'the daemon stops',
      'DAEMON_UNREACHABLE',
      async () => {
        const made = hang();
        await made.left;
        await pool.close(new PmlError('DAEMON_UNREACHABLE', 'the daemon stops'));
        return made;
      },
    ],
    [
      'the answer is too large',
      'SERVER_TOO_LARGE',
      async () => call('append', { key: 'x'.repeat(200_000) }),
    ],
    ['the answer is no object', 'SERVER_PROTOCOL_ERROR', async () => call('nonsense', {})],
    [
      'the connection is cut',
      'SERVER_CRASHED',
      async () => {
        await use(http('/cut'));
        return call('x', {});
      },
    ],
    [
      'a gateway in between fails',
      'SERVER_CRASHED',
      async () => {
        await use(http('/broken'));
        return call('x', {});
      },
    ],
  ];

  test.each(cases)(
    'call that had left ends with an in-doubt error code when %s',
    async (_how, code, make) => {
      await use(stdio());

      const { outcome } = await make();

      expect(await outcome).toEqual({ code, hasLeft: true });
      expect(IN_DOUBT_CODES).toContain(code);
    },
  );
});

describe('a call that was never carried out', () => {
  const cases: readonly (readonly [
    how: string,
    spec: () => ServerSpec,
    make: () => Promise<Made>,
  ])[] = [
    [
      'its server cannot be started',
      () => stdio({ command: '/there/is/no/such/program' }),
      async () => call('append', { key: 'k' }),
    ],
    [
      'its server dies while it starts',
      () => stdio({ args: ['-e', 'process.exit(1)'] }),
      async () => call('append', { key: 'k' }),
    ],
    [
      'it is cancelled while its server starts',
      () => stdio({ args: ['-e', 'setInterval(() => {}, 1000)'] }),
      async () => {
        const stop = new AbortController();
        const made = call('append', { key: 'k' }, { signal: stop.signal });
        stop.abort();
        return made;
      },
    ],
    [
      'it is cancelled while it waits for its place',
      () => stdio(),
      async () => {
        await call('hang', { key: 'k' }).left;
        const stop = new AbortController();
        const made = call('append', { key: 'k' }, { signal: stop.signal });
        stop.abort();
        return made;
      },
    ],
    ['a remote server refuses it', () => http('/refusing'), async () => call('x', {})],
  ];

  test.each(cases)('call that never ran is not in doubt when %s', async (_how, spec, make) => {
    await use(spec());

    const { code, hasLeft } = await (await make()).outcome;

    expect(code).toBeDefined();
    expect(hasLeft && IN_DOUBT_CODES.has(code as PmlError['code'])).toBe(false);
  });
});

/** Raised only before a call leaves, or with the response of its server. */
const SETTLED: readonly string[] = [
  'BAD_REQUEST',
  'SERVER_BROKEN',
  'SERVER_ERROR',
  'SERVER_NOT_STARTED',
  'SERVER_UNKNOWN',
];

test('every error code of servers and connections says whether the call may have been carried out', () => {
  const sources = ['.', '../rpc'].flatMap((one) => {
    const path = fileURLToPath(new URL(one, import.meta.url));
    const files = readdirSync(path).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    return files.map((name) => readFileSync(join(path, name), 'utf8'));
  });
  const raised = sources.flatMap((text) =>
    [...text.matchAll(/new PmlError\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code),
  );

  const known = new Set<string>([...IN_DOUBT_CODES, ...SETTLED]);

  expect(raised.length).toBeGreaterThan(10);
  expect([...new Set(raised)].filter((code) => !known.has(code))).toEqual([]);
  expect(SETTLED.filter((code) => IN_DOUBT_CODES.has(code as PmlError['code']))).toEqual([]);
});
