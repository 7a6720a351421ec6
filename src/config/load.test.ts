import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PmlError, serverName } from '../core/index.js';
import { loadConfig, parseConfig } from './load.js';

const PATH = '/somewhere/pml.json';

function parse(text: string, env: Record<string, string> = {}) {
  return parseConfig(text, { path: PATH, env: { HOME: '/home/me', ...env } });
}

/** The lines of the one error that a text gives. */
function problemsOf(text: string, env: Record<string, string> = {}): string[] {
  try {
    parse(text, env);
  } catch (error) {
    if (error instanceof PmlError && error.code === 'CONFIG_INVALID') {
      const { problems } = error.details;
      const lines = error.message.split('\n');
      if ((problems as unknown[]).length !== lines.length) throw error;
      return lines.map((line) => line.replace(`${PATH}:`, ''));
    }
    throw error;
  }
  return [];
}

const server = (entry: object) => JSON.stringify({ mcpServers: { s: entry } });
const S = serverName('s');

describe('a good file', () => {
  test('a configuration file may hold comments, trailing commas and a byte order mark', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'pml-')), 'pml.json');
    await writeFile(
      path,
      '\uFEFF{ // mine\n "mcpServers": { "s": { "command": "x", }, }, /* end */ }',
    );

    const { servers, file } = await loadConfig(path, {});

    expect(servers.get(S)).toMatchObject({ kind: 'stdio', command: 'x', args: [], env: {} });
    expect(file.limits.callTimeoutMs).toBe(120_000);
  });

  test('a configuration file gives servers with absolute paths and their filters', () => {
    const text = JSON.stringify({
      mcpServers: {
        local: { command: './run.sh', cwd: 'sub', tools: { allow: ['a*'], deny: ['ab'] } },
        far: { type: 'sse', url: 'https://x.example/sse', start: 'background' },
      },
    });

    const { servers } = parse(text);

    expect(servers.get(serverName('local'))).toMatchObject({
      command: '/somewhere/sub/run.sh',
      cwd: '/somewhere/sub',
      toolsAllow: ['a*'],
      toolsDeny: ['ab'],
      isolation: 'shared',
    });
    expect(servers.get(serverName('far'))).toMatchObject({ kind: 'sse', start: 'background' });
  });

  test('disabled servers are left out and listed, even if their variables are missing', () => {
    const { servers, disabled, broken } = parse(server({ url: '${NOPE}', enabled: false }));

    expect(servers.size).toBe(0);
    expect(broken.size).toBe(0);
    expect(disabled).toEqual(['s']);
  });

  test('exposure may be written as a mode name', () => {
    expect(parse('{"exposure": "hybrid"}').file.exposure).toEqual({
      mode: 'hybrid',
      pin: [],
      capabilities: [],
      skills: true,
    });
  });

  test('speculation may be written as a mode name, with every other setting at its default', () => {
    const { speculation } = parse('{"speculation": "warm"}').file;

    expect(speculation).toEqual({ ...parse('{}').file.speculation, mode: 'warm' });
    expect(parse('{}').file.speculation).toMatchObject({
      mode: 'suggest',
      warmServers: 2,
      ttlMs: 30_000,
      moneyPerPlan: 0.1,
    });
  });

  test.each([
    ['{"speculation": "always"}', '"off" or "warm" or "suggest" or "on"'],
    ['{"speculation": {"mode": "on", "ttl": 3}}', 'ttl'],
    ['{"speculation": {"waste": 2}}', 'at most 1'],
  ])('the setting %s is refused with what PML expects', (text, expected) => {
    expect(() => parse(text)).toThrow(expected);
  });
});

describe('data directory', () => {
  test.each([
    [
      'in the home of PML for a project file, so that no repository brings it along',
      '/p/pml.json',
      '{}',
      { HOME: '/home/me' },
      '/home/me/.pml/projects/afbb4703e6686ab8',
    ],
    ['the home of PML for the user file', '/home/me/.pml/pml.json', '{}', {}, '/home/me/.pml'],
    ['relative to the file when set', '/p/pml.json', '{"dataDir": "../d"}', {}, '/d'],
    ['below the home when set with ~', '/p/pml.json', '{"dataDir": "~/d"}', {}, '/home/me/d'],
    ['from the environment first', '/p/pml.json', '{"dataDir": "d"}', { PML_DATA_DIR: '/e' }, '/e'],
    ['PML_HOME for its file', '/h/pml.json', '{}', { PML_HOME: '/h' }, '/h'],
  ])('data directory is %s', (_name, path, text, env, expected) => {
    const { dataDir } = parseConfig(text, { path, env: { HOME: '/home/me', ...env } });

    expect(dataDir).toBe(expected);
  });
});

describe('variables', () => {
  test('variables are replaced once, with defaults and escapes', () => {
    const text = server({
      command: '${CMD}',
      args: ['${A:-one}', '$${A}', '${EMPTY:-two}', 'x${B}y'],
      env: { T: '${B}' },
    });

    const { servers } = parse(text, { CMD: 'run', B: '${CMD}', EMPTY: '' });

    expect(servers.get(S)).toMatchObject({
      command: 'run',
      args: ['one', '${A}', 'two', 'x${CMD}y'],
      env: { T: '${CMD}' },
    });
  });

  // covers: CONFIG-PARTIAL
  test('a variable missing in one server makes only that server unusable', () => {
    const text = JSON.stringify({
      mcpServers: { s: { command: 'x', env: { T: '${TOKEN_X}' } }, ok: { command: 'y' } },
    });

    const { servers, broken, file } = parse(text);

    expect([...servers.keys()]).toEqual(['ok']);
    expect(broken.get(S)).toContain('TOKEN_X is not set');
    expect(Object.keys(file.mcpServers)).toEqual(['ok']);
  });

  test('a variable that makes a URL invalid breaks the server without showing its value', () => {
    const { broken } = parse(server({ url: '${U}' }), { U: 'hunter2' });

    expect(broken.get(S)).toContain('http:// or https:// URL');
    expect(broken.get(S)).not.toContain('hunter2');
  });

  test('a variable missing outside of servers is an error that names it', () => {
    const text = '{"http": {"token": "${T}"}, "database": "${D}"}';

    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^1:20: http\.token: environment variable T is not set/),
      expect.stringMatching(/^1:41: database: environment variable D is not set/),
    ]);
  });

  test('names inherited from Object are not variables', () => {
    expect(parse(server({ command: '${toString}' })).broken.get(S)).toContain('toString');
  });

  test('a variable in the syntax of VS Code is refused with the right form', () => {
    const { broken } = parse(server({ command: 'x', args: ['${env:T}'] }), { T: '1' });

    expect(broken.get(S)).toContain('${env:T} is not understood here; write ${NAME}');
  });
});

describe('identity', () => {
  const hashOf = (entry: object, env = {}) => parse(server(entry), env).servers.get(S)?.configHash;

  test('the hash of a server stays when a secret changes and changes with the command', () => {
    const base = hashOf({ command: 'x', env: { T: 'one' } });

    expect(hashOf({ command: 'x', env: { T: 'two' } })).toBe(base);
    expect(hashOf({ command: 'x', env: { U: 'one' } })).not.toBe(base);
    expect(hashOf({ command: 'x', args: ['a'], env: { T: 'one' } })).not.toBe(base);
    expect(hashOf({ url: 'http://${H}/' }, { H: 'a' })).toBe(
      hashOf({ url: 'http://${H}/' }, { H: 'b' }),
    );
  });
});

describe('a wrong file gives one line for each problem', () => {
  test.each<[string, string, string[]]>([
    ['an unknown key', '{\n  "limit": {}\n}', ['2:3: limit: unknown key; did you mean "limits"?']],
    [
      'a nested unknown key',
      '{"limits": {"callTimeout": 1}}',
      ['1:13: limits.callTimeout: unknown key; did you mean "callTimeoutMs"?'],
    ],
    [
      'the key of another program',
      server({ command: 'x', disabled: true }),
      ['1:35: mcpServers.s.disabled: unknown key; write "enabled": false instead'],
    ],
    [
      'a wrong number',
      server({ command: 'x', timeoutMs: -5 }),
      ['1:47: mcpServers.s.timeoutMs: expected more than 0, got -5'],
    ],
    [
      'a wrong type',
      server({ command: 'x', timeoutMs: '5s' }),
      ['1:47: mcpServers.s.timeoutMs: expected a number, got "5s"'],
    ],
    [
      'neither command nor URL',
      server({ args: [] }),
      [
        '1:20: mcpServers.s: has neither "command" (a program to start) nor "url" (a server to reach)',
      ],
    ],
    [
      'both command and URL',
      server({ command: 'x', url: 'http://x' }),
      ['1:20: mcpServers.s: has both "command" and "url"; keep the one that is meant'],
    ],
    [
      'a server that is no object',
      '{"mcpServers": {"s": 5}}',
      ['1:22: mcpServers.s: expected an object with "command" or "url", got a number'],
    ],
    [
      'an array of servers',
      '{"mcpServers": []}',
      ['1:16: mcpServers: expected an object of servers, got an array'],
    ],
    [
      'a URL that is none',
      server({ url: 'localhost:80' }),
      ['1:27: mcpServers.s.url: expected an http:// or https:// URL, got "localhost:80"'],
    ],
    [
      'a wrong exposure',
      '{"exposure": "all"}',
      ['1:14: exposure: expected "meta" or "proxy" or "hybrid", got "all"'],
    ],
    [
      'a wrong exposure mode',
      '{"exposure": {"mode": "all"}}',
      ['1:23: exposure.mode: expected "meta" or "proxy" or "hybrid", got "all"'],
    ],
    [
      'a section that is a string',
      '{"http": "${X}"}',
      ['1:10: http: expected an object, got "${X}"'],
    ],
    [
      'a wrong database',
      '{"database": "mysql://u:pw@h"}',
      ['1:14: database: expected "embedded" or postgres://…, got a string (not shown)'],
    ],
    [
      'a key that appears twice',
      '{"logLevel": "info",\n "logLevel": "warn"}',
      ['2:2: logLevel: this key appears twice in the same object; keep one'],
    ],
    [
      'a __proto__ key',
      '{"mcpServers": {"__proto__": {"command": "x"}}}',
      ['1:17: mcpServers.__proto__: this key is not allowed; remove it'],
    ],
    [
      'text that is cut off',
      '{"mcpServers": {"s": ',
      ['1:22: not valid JSON: value expected (the file ends here: is it cut off?)'],
    ],
    [
      'an empty file',
      '',
      ['1:1: not valid JSON: value expected (the file ends here: is it cut off?)'],
    ],
    ['an array', '[]', ['1:1: expected an object { … } at the top, got array']],
    ['a number', '7', ['1:1: expected an object { … } at the top, got number']],
    [
      'nesting of 10,000',
      `{"a": ${'['.repeat(10_000)}`,
      ['1:206: nested more than 200 levels deep; flatten it'],
    ],
  ])('a wrong configuration file gives one line for each problem: %s', (_name, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  test('a key that would repaint the terminal is reported with escapes', () => {
    expect(problemsOf(String.raw`{"\u001B[2J\nx": 1}`)).toEqual([
      expect.stringContaining(String.raw`1:2: \u{1b}[2J\u{a}x: unknown key`),
    ]);
  });

  test('a bad server name is reported with its position', () => {
    expect(problemsOf('{"mcpServers": {"a b": {"command": "x"}}}')).toEqual([
      expect.stringMatching(/^1:17: mcpServers\.a b: not a server name/),
    ]);
  });

  // covers: CONFIG-EXPLAINED
  test('all problems are reported at once, in the order of the file', () => {
    const text = '{\n "logLevel": 1,\n "mcpServers": {"a": {}},\n "context": {"share": 2}\n}';

    expect(problemsOf(text).map((line) => line.split(': ')[1])).toEqual([
      'logLevel',
      'mcpServers.a',
      'context.share',
    ]);
  });

  test('reported problems never show what env, headers, args or a URL query hold', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'x', env: { T: 41_234 } },
        b: { url: 'http://x', headers: 'secret-1' },
        c: { command: 'x', args: '--key secret-2' },
        d: { url: 'x?key=secret-3' },
      },
    });

    const lines = problemsOf(text);

    expect(lines).toHaveLength(4);
    expect(lines.join('\n')).not.toMatch(/secret|41234/);
  });

  test('a configuration file that is too large, no regular file or no text is refused', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pml-'));
    await writeFile(join(directory, 'huge'), ' '.repeat(6_000_000));
    await writeFile(join(directory, 'binary'), Buffer.from([0xff, 0xfe, 0x7b]));

    const load = (name: string) => loadConfig(join(directory, name), {});

    await expect(load('huge')).rejects.toThrow('6.0 MB is too large');
    await expect(load('binary')).rejects.toThrow('not UTF-8');
    await expect(load('.')).rejects.toThrow('not a regular file');
    await expect(load('absent')).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });
});

describe('whatever the text', () => {
  const CANARY = 'canary-9f3';
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, '${X}', '${X:-y}', '$${X}', 'http://x', '\u001B[2J'),
  );
  const secrets = fc.constantFrom(
    { T: CANARY },
    CANARY,
    [CANARY],
    { T: [CANARY] },
    { T: { U: CANARY } },
  );
  const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.string(), scalar));
  const key = (...names: string[]) => fc.oneof(fc.constantFrom(...names), fc.string());
  const entry = fc
    .tuple(
      fc.dictionary(key('command', 'args', 'url', 'type', 'tools', 'enabled', 'timeoutMs'), value),
      fc.dictionary(fc.constantFrom('env', 'headers'), secrets),
    )
    .map(([rest, secret]) => ({ ...rest, ...secret }));
  const config = fc
    .tuple(
      fc.dictionary(key('exposure', 'limits', 'http', 'context', 'logLevel', 'permissions'), value),
      fc.oneof(value, fc.dictionary(key('a', 'b'), fc.oneof(entry, value))),
    )
    .map(([rest, mcpServers]) => JSON.stringify({ ...rest, mcpServers }));

  test('any text loads or gives one readable line for each problem, without secrets', () => {
    fc.assert(
      fc.property(fc.oneof(config, fc.string(), fc.json()), (text) => {
        const lines = problemsOf(text);

        expect(lines.join('\n')).not.toContain(CANARY);
        expect(lines.every((line) => /^\d+:\d+: \P{Cc}+$/u.test(line))).toBe(true);
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  test('the report for a large file with thousands of problems is cut short', () => {
    const twice = Array.from({ length: 100_000 }, (_, index) => `"k${index % 7}": 1`);

    expect(problemsOf(`{${twice.join(',')}}`).length).toBeLessThanOrEqual(200);
  });
});
