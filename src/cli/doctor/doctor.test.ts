import { expect, test } from 'vitest';

import { searchStatus } from '../../../test/helpers/search-status.js';
import { clientFiles, type Machine, type ReadFile } from '../../clients/index.js';
import { parseConfig } from '../../config/load.js';
import { parseJsonc } from '../../config/text/parse-jsonc.js';
import type { DaemonStatus, ListedTool, ServerRow } from '../../control/index.js';
import { PmlError, serverName, toolId } from '../../core/index.js';
import {
  type DaemonFacts,
  judgeDaemon,
  judgeLeftovers,
  judgeRejected,
  judgeRepair,
  judgeServer,
  judgeStore,
  judgeTools,
} from './daemon.js';
import { describeFinding, fail, hasFailed, ok, summarize, warn } from './finding.js';
import { judgeDataDir, judgeDisk, judgeFiles, judgeNode, judgePort } from './machine.js';
import { judgeClients, judgeConfig } from './setup.js';

const OWN = { version: '0.1.0', config: '/home/u/.pml/pml.json' };

const IDLE: DaemonFacts = {
  status: undefined,
  refusal: undefined,
  lock: undefined,
  socket: { path: '/home/u/.pml/daemon.sock', mode: 0o600 },
};

function running(changes: Partial<DaemonStatus> = {}): DaemonFacts {
  const status: DaemonStatus = {
    pid: 7,
    ...OWN,
    uptimeMs: 1,
    rssBytes: 1,
    dataDir: '/home/u/.pml',
    exposure: 'meta',
    clients: [],
    store: { engine: 'pglite', version: '18.6', schemaVersion: 1 },
    search: searchStatus(),
    sandbox: { nodePermissions: true, nodeNetwork: false, bubblewrap: true, isWatched: true },
    servers: [],
    broken: {},
    disabled: [],
    ...changes,
  };
  return { ...IDLE, status, lock: { pid: 7, isAlive: true } };
}

function row(changes: Partial<ServerRow> = {}): ServerRow {
  return {
    name: 'github',
    kind: 'stdio',
    state: 'running',
    pids: [9],
    runningCalls: 0,
    retryInMs: 0,
    tools: 12,
    listed: true,
    ...changes,
  };
}

function config(text: string, env = {}) {
  return parseConfig(text, { path: '/p/pml.json', env });
}

test.each([
  ['18.20.1', 'fail'],
  ['20.18.3', 'fail'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s is judged %s', (version, level) => {
  expect(judgeNode(version).level).toBe(level);
});

test.each([
  [{ status: 'absent' }, 'ok'],
  [{ status: 'no directory' }, 'fail'],
  [{ status: 'present', mode: 0o700, isOurs: true, isWritable: true }, 'ok'],
  [{ status: 'present', mode: undefined, isOurs: true, isWritable: true }, 'ok'],
  [{ status: 'present', mode: 0o755, isOurs: true, isWritable: true }, 'warn'],
  [{ status: 'present', mode: 0o700, isOurs: false, isWritable: true }, 'fail'],
  [{ status: 'present', mode: 0o500, isOurs: true, isWritable: false }, 'fail'],
] as const)('a data directory that is %j is judged %s', (state, level) => {
  expect(judgeDataDir('/home/u/.pml', state).level).toBe(level);
});

test('doctor warns about little disk space and fails on too little', () => {
  expect([2e9, 5e8, 1e8].map((free) => judgeDisk(free).level)).toEqual(['ok', 'warn', 'fail']);
});

test('a port that another program uses is only a warning, because stdio does not need it', () => {
  const taken = judgePort('127.0.0.1:7717', { status: 'refused', reason: 'EADDRINUSE' });

  expect(taken).toMatchObject({ level: 'warn', message: '127.0.0.1:7717 is taken' });
  expect(judgePort('127.0.0.1:7717', { status: 'free' }).level).toBe('ok');
});

test.each([
  ['none runs', IDLE, 'ok', 'not running'],
  ['a dead one left its lock', { ...IDLE, lock: { pid: 5, isAlive: false } }, 'warn', 'pid 5'],
  ['a live one is mute', { ...IDLE, lock: { pid: 5, isAlive: true } }, 'fail', 'does not answer'],
  ['it speaks otherwise', { ...IDLE, refusal: 'protocol 2' }, 'fail', 'protocol 2'],
  ['it runs', running(), 'ok', 'pid 7'],
  ['it is older', running({ version: '0.0.9' }), 'warn', '0.0.9'],
  ['it is another build', running({ build: 'abc-22222222' }), 'warn', 'build abc-22222222'],
  [
    'it is suspended',
    { ...IDLE, silence: { message: 'pid 5 is suspended', fix: 'kill -CONT 5' } },
    'fail',
    'suspended',
  ],
  ['it has another file', running({ config: '/x/pml.json' }), 'fail', '/x/pml.json'],
  [
    'others may connect',
    { ...running(), socket: { path: '/s', mode: 0o666 } },
    'fail',
    'others may connect',
  ],
] as const)('doctor judges a daemon: %s', (_case, facts, level, text) => {
  const finding = judgeDaemon(facts, OWN);

  expect(finding.level).toBe(level);
  expect(finding.message).toContain(text);
});

test('a configuration that the daemon rejected fails with the reason; an accepted one adds no finding', () => {
  const rejectedConfig = { code: 'CONFIG_INVALID', message: 'pml.json:3: x', at: '2026-01-01' };
  const { status } = running({ rejectedConfig });

  const [finding] = judgeRejected(status);

  expect(finding).toMatchObject({ level: 'fail', what: 'config' });
  expect(finding?.message).toContain('pml.json:3: x');
  expect(judgeRejected(running().status)).toEqual([]);
  expect(judgeRejected(undefined)).toEqual([]);
});

test('a store that fails to write is not reported as healthy', () => {
  const store = { engine: 'pglite', version: '18', schemaVersion: 9 };
  const failing = [{ what: 'catalog.save', error: 'disk full', at: '2026-01-01', times: 3 }];

  expect(judgeStore(store).level).toBe('ok');
  expect(judgeStore({ ...store, failing })).toMatchObject({ level: 'fail' });
  expect(judgeStore({ ...store, failing }).message).toMatch(
    /catalog.save fails \(3 times.*disk full/,
  );
});

test('a server that lists its tools passes and shows how long that took', () => {
  const check = { name: 'github', wasRunning: false, ms: 840, row: row() };

  expect(judgeServer(check)).toEqual(ok('server github', '12 tools, started and listed in 840 ms'));
  expect(judgeServer({ ...check, ms: 20_000 }).level).toBe('warn');
});

// covers: DOCTOR-FIX
test.each([
  [{ lastError: 'exited with code 1' }, 'exited with code 1', 'pml logs github'],
  [{ listed: false }, 'lists could not be read', 'pml logs github'],
  [{ kind: 'http', lastError: 'refused' }, 'refused', 'address'],
] as const)('a server with %j fails with a fix', (changes, message, fix) => {
  const finding = judgeServer({ name: 'github', wasRunning: true, ms: 1, row: row(changes) });

  expect(finding.level).toBe('fail');
  expect(finding.message).toContain(message);
  expect(finding.fix).toContain(fix);
});

test('quarantined and blocked tools are named with their reason', () => {
  const tool = (name: string, status: ListedTool['status'], reason?: string): ListedTool => ({
    id: toolId(serverName('a'), name),
    server: serverName('a'),
    definition: { name, inputSchema: {} },
    hash: name,
    status,
    ...(reason && { reason }),
    firstSeen: new Date(0).toISOString(),
    lastSeen: new Date(0).toISOString(),
    visible: false,
  });
  const tools = [tool('x', 'quarantined', 'no schema'), tool('y', 'blocked'), tool('z', 'active')];

  expect(judgeTools(tools).map(({ message }) => message)).toEqual([
    '1 quarantined, definition broken: a:x (no schema)',
    '1 blocked, definition changed: a:y',
  ]);
  expect(judgeTools([tool('z', 'active')])).toEqual([]);
});

test('a store that does not open fails and points to the repair command', () => {
  expect(judgeStore({ error: 'no PG_VERSION' }).fix).toContain('pml doctor --repair');
  expect(judgeStore({ engine: 'pglite', version: '18', schemaVersion: 1, sizeBytes: 8e6 })).toEqual(
    ok('store', 'pglite 18, schema 1, 8 MB'),
  );
});

test('a repair reports what it did and where the damaged files are', () => {
  const finding = judgeRepair({
    outcome: 'recreated',
    problem: 'torn page',
    movedTo: '/d/damaged/1',
    rejected: [{ path: '/d/s1', reason: 'its checksum does not match' }],
  });

  expect(finding.level).toBe('warn');
  expect(finding.message).toContain('torn page');
  expect(finding.message).toContain('/d/s1 (its checksum does not match)');
  expect(finding.fix).toContain('/d/damaged/1');
  expect(judgeRepair({ outcome: 'healthy' }).level).toBe('ok');
});

test('server processes without a daemon are leftovers, those of a running daemon are not', () => {
  const living = [{ pid: 9, label: 'github' }];

  expect(judgeLeftovers(living, false)).toMatchObject({ level: 'warn' });
  expect(judgeLeftovers(living, true).level).toBe('ok');
  expect(judgeLeftovers([], false).level).toBe('ok');
});

test('a configuration that is missing, invalid or untrusted fails with its own advice', () => {
  const missing = judgeConfig({
    status: 'unusable',
    error: new PmlError('CONFIG_NOT_FOUND', 'none'),
  });
  const loaded = config('{"mcpServers": {"a": {"command": "x"}}}');

  expect(missing[0]).toMatchObject({ level: 'fail' });
  expect(missing[0]?.fix).toContain('pml init');
  const untrusted = judgeConfig({
    status: 'unusable',
    error: new PmlError('CONFIG_UNTRUSTED', 'not approved'),
  });
  expect(untrusted[0]?.fix).toContain('pml trust');
  expect(judgeConfig({ status: 'loaded', config: loaded, ignored: 'not used' })).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'not used' }),
  );
});

test('a server whose variable is not set fails by name; no server at all is a warning', () => {
  const broken = config('{"mcpServers": {"a": {"command": "x", "env": {"K": "${GONE}"}}}}');
  const empty = config('{}');

  expect(judgeConfig({ status: 'loaded', config: broken, ignored: undefined })[1]).toMatchObject({
    level: 'fail',
    what: 'server a',
    message: expect.stringContaining('GONE') as string,
  });
  expect(judgeConfig({ status: 'loaded', config: empty, ignored: undefined })[1]?.level).toBe(
    'warn',
  );
});

const MACHINE: Machine = { home: '/home/u', cwd: '/w', platform: 'linux', env: {} };

function cursor(text: string): ReadFile {
  const [file] = clientFiles('cursor', MACHINE);
  if (!file) throw new Error('cursor has a file');
  const { value } = parseJsonc(text);
  const source = { text, mark: '', bytes: Buffer.from(text) };
  return { file, state: { status: 'read', source, value: value as Record<string, never> } };
}

function judgeCursor(servers: object) {
  const files = [cursor(JSON.stringify({ mcpServers: servers }))];
  return judgeClients({ files, machine: MACHINE, httpPort: 7717 }).map(({ level }) => level);
}

test.each([
  [{ pml: { command: 'npx', args: ['-y', 'pml', 'serve'] } }, ['ok']],
  [{ gate: { url: 'http://localhost:7717/mcp' } }, ['ok']],
  [{ pml: { command: 'pml', args: ['serve'] }, x: { command: 'y' } }, ['ok', 'warn']],
  [{ x: { command: 'y' } }, ['warn', 'warn']],
  [{}, ['warn']],
])('a client with %j is judged %j', (servers, levels) => {
  expect(judgeCursor(servers)).toEqual(levels);
});

test('doctor exits with failure only after a failed check, and its last line counts the findings', () => {
  const findings = [ok('a', 'fine'), warn('b', 'hm', 'do')];

  expect(hasFailed(findings)).toBe(false);
  expect(summarize(findings)).toBe('Works, with 1 warning.');
  expect(hasFailed([...findings, fail('c', 'bad', 'do')])).toBe(true);
  expect(summarize([ok('a', 'fine')])).toBe('Everything is in order.');
});

test('doctor escapes control sequences in texts of servers', () => {
  const text = describeFinding(fail('a', 'bad\u001B[2Jthing', 'do\rit'), 1);

  expect(text).toContain('bad\\u{1b}[2Jthing');
  expect(text).toContain('do\\u{d}it');
});

test('an open-file limit that is low for the number of servers is a warning with a fix', () => {
  expect(judgeFiles(256, 60)).toMatchObject({
    level: 'warn',
    message: expect.stringContaining('256 may be open at once; with 60 servers'),
    fix: expect.stringContaining('ulimit -n 4096'),
  });
  expect(judgeFiles(256, 3)).toBeUndefined();
  expect(judgeFiles(1_048_576, 60)).toBeUndefined();
  expect(judgeFiles(undefined, 60)).toBeUndefined();
});
