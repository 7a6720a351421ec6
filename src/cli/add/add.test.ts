import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSetupHome } from '../../../test/helpers/setup-home.js';
import { PmlError } from '../../core/index.js';
import { planAdd, readDocument, type Wanted } from './plan-add.js';
import { type AddIo, type AddOptions, runAdd } from './run-add.js';
import { runRemove } from './run-remove.js';
import { parseServerJson } from './server-json.js';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../test/fixtures/registry/${name}`, import.meta.url));
const document = (name: string) => parseServerJson(readFileSync(fixture(name), 'utf8'), name);

function plan(name: string, wanted: Partial<Wanted> = {}) {
  return planAdd({ source: fixture(name), command: [], ...wanted }, document(name));
}

const pairs = (...given: (readonly [string, string])[]) =>
  new Map(given.map(([name, value]) => [name, [value]]));

describe('a server.json', () => {
  test('becomes the command of its npm package with the version pinned, secrets as references', () => {
    const { name, entry, pin, references, missing } = plan('weather.json', {
      arg: new Map([['station', ['Bern', 'Rome']]]),
    });

    expect({ name, pin, references, missing }).toEqual({
      name: 'weather',
      pin: '1.4.2',
      references: ['WEATHER_API_KEY'],
      missing: [],
    });
    expect(entry).toEqual({
      command: 'npx',
      args: ['-y', '@example/weather@1.4.2', 'serve', 'Bern', 'Rome', '--cache', 'dir=/tmp/w'],
      // The text of a stranger reads nothing of the environment.
      env: { WEATHER_API_KEY: '${WEATHER_API_KEY}', UNITS: 'metric', TRAP: '$${HOME}' },
    });
  });

  test('names what only the user can say', () => {
    expect(plan('weather.json').missing).toEqual([
      { kind: 'arg', name: 'station', description: 'Where', choices: undefined },
    ]);
    expect(plan('older.json').missing.map(({ name }) => name)).toEqual(['db_path']);
  });

  test('becomes a container or a remote server where the user wants that', () => {
    expect(plan('weather.json', { package: 'oci' })).toMatchObject({
      pin: 'docker.io/example/weather:1.4.2',
      entry: {
        command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'WEATHER_API_KEY', 'docker.io/example/weather:1.4.2'],
      },
    });
    expect(plan('weather.json', { package: 'remote', arg: pairs(['region', 'us']) }).entry).toEqual(
      {
        url: 'https://us.weather.example.com/mcp',
        headers: { Authorization: 'Bearer ${KEY}' },
      },
    );
  });

  test('of an earlier revision is read as well', () => {
    const { entry, pin } = plan('older.json', { arg: pairs(['db_path', '/db']) });

    expect(pin).toBe('0.5.0');
    expect(entry).toEqual({
      command: 'uvx',
      args: ['older-server@0.5.0', '--db_path', '/db'],
      env: { TOKEN: '${TOKEN}' },
    });
  });

  test.each([
    ['is no JSON', '{', 'is not JSON'],
    ['has no name', '{"packages": []}', 'name: '],
    [
      'has a broken package',
      '{"name":"a/b","packages":[{"identifier":"x"}]}',
      'packages.0.registryType',
    ],
  ])('that %s is refused with the place', (_, text, message) => {
    expect(() => parseServerJson(text, 'x.json')).toThrow(message);
  });

  test('without a form that PML can start is refused, and says what there is', () => {
    const only = parseServerJson(
      '{"name":"a/b","packages":[{"registryType":"mcpb","identifier":"x"}]}',
      'x',
    );

    expect(() => planAdd({ source: 'x.json', command: [] }, only)).toThrow(/offers mcpb/);
  });
});

test('a secret on the command line is refused unless the user insists', () => {
  const wanted = { source: 'a', command: ['x'], env: pairs(['API_KEY', 'in-clear']) };

  expect(() => planAdd(wanted, undefined)).toThrow(/API_KEY=\$\{API_KEY\}.*--plain-secrets/);
  expect(planAdd({ ...wanted, plainSecrets: true }, undefined).entry['env']).toEqual({
    API_KEY: 'in-clear',
  });
  const refers = { ...wanted, env: pairs(['API_KEY', '${MY_KEY}']) };
  expect(planAdd(refers, undefined).references).toEqual(['MY_KEY']);
});

describe('the registry', () => {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/v0.1/servers/io.github.example%2Fweather/versions/latest';
    response.statusCode = isKnown ? 200 : 404;
    const text = readFileSync(fixture('weather.json'), 'utf8');
    response.end(isKnown ? `{"server":${text},"_meta":{}}` : '{}');
  });
  let registry = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  const machine = { home: '/h', cwd: '/', platform: 'linux', env: {} } as const;
  const ask = (source: string, base = registry) =>
    readDocument({ source, command: [], registry: base }, machine);

  test('answers with the server of a name', async () => {
    expect(await ask('io.github.example/weather')).toMatchObject({ version: '1.4.2' });
  });

  test.each([
    ['an unknown name', 'io.github.example/none', undefined, /knows no io.github.example\/none/],
    [
      'a registry out of reach',
      'a.b/c',
      'http://127.0.0.1:9',
      /cannot be reached.*pml add <name> -- /,
    ],
    ['an address without protection', 'http://example.com/server.json', undefined, /only https/],
    ['a word that means nothing', 'weather', undefined, /pml add weather -- <command>/],
  ])('gives a clear error for %s', async (_, source, base, message) => {
    await expect(ask(source, base)).rejects.toThrow(message);
  });
});

async function home({
  isInteractive = false,
  answers = [] as boolean[],
  values = [] as string[],
} = {}) {
  const made = await createSetupHome({ isInteractive, answers });
  const tried: string[] = [];
  const io: AddIo = {
    ...made.io,
    askValue: async () => values.shift(),
    async tryServer(_flags, name) {
      tried.push(name);
      return { works: true, tools: ['one'] };
    },
  };
  const add = (options: Partial<AddOptions>) =>
    runAdd({ source: 'files', command: [], isTried: true, ...options }, io);
  const remove = (name: string, options = {}) => runRemove(name, options, io);
  return {
    ...made,
    io,
    tried,
    add,
    remove,
    write: (path: string, text: string) => made.write(path, text),
    snapshot: () => made.snapshot(),
  };
}

const COMMAND = ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/data'];
const FILE = 'home/.pml/pml.json';
const WITH_COMMENTS = `{
  // My servers
  "mcpServers": {
    "a": { "command": "x" }, // the first
    // disabled for now
    "b": { "command": "y", "enabled": false } // the second
  },
  "logLevel": "warn", // quiet
}
`;

describe('pml add and pml remove', () => {
  test('add writes the entry beside comments, remove restores every byte', async () => {
    const { write, read, add, remove, tried } = await home();
    await write(FILE, WITH_COMMENTS);

    expect(await add({ command: COMMAND, yes: true })).toBe(0);
    expect(await read(FILE)).toBe(
      WITH_COMMENTS.replace(
        '"enabled": false } // the second\n',
        `"enabled": false }, // the second
    "files": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/data"
      ]
    }
`,
      ),
    );
    expect(tried).toEqual(['files']);
    expect(await add({ command: COMMAND, yes: true })).toBe(0);
    expect(await remove('files', { yes: true })).toBe(0);
    expect(await read(FILE)).toBe(WITH_COMMENTS);
  });

  test('add without a file makes one', async () => {
    const { read, add } = await home();

    expect(await add({ source: 'crm', url: 'https://crm.example.com/mcp', yes: true })).toBe(0);

    expect(JSON.parse(await read(FILE))).toMatchObject({
      mcpServers: { crm: { url: 'https://crm.example.com/mcp' } },
    });
  });

  test.each([
    ['without a terminal and without --yes', { command: COMMAND }, 1],
    ['with --dry-run', { command: COMMAND, dryRun: true }, 0],
    ['for a name that another server has', { source: 'a', command: COMMAND, yes: true }, 1],
    ['for a name that cannot be one', { source: 'pml', command: COMMAND, yes: true }, 1],
    ['without a command', { yes: true }, 1],
  ])('add %s writes nothing', async (_, options, code) => {
    const { write, add, snapshot } = await home();
    await write(FILE, WITH_COMMENTS);
    const before = await snapshot();

    expect(await add(options)).toBe(code);

    expect(await snapshot()).toEqual(before);
  });

  test('add asks on a terminal for values, then for consent, and shows what it starts', async () => {
    const source = fixture('weather.json');
    const { add, printed, questions, read } = await home({
      isInteractive: true,
      answers: [true],
      values: ['Bern'],
    });

    expect(await add({ source })).toBe(0);

    const text = printed();
    expect(text).toContain('npx -y @example/weather@1.4.2 serve Bern --cache dir=/tmp/w');
    expect(text).toContain('version 1.4.2, always');
    expect(text).toContain('needs WEATHER_API_KEY: set it where your client starts');
    expect(text).toContain('weather works: 1 tool (one)');
    expect(questions).toEqual(['Add it?']);
    expect(await read(FILE)).toContain('"WEATHER_API_KEY": "${WEATHER_API_KEY}"');
  });

  test('add --json reports what it wrote, and no value of the environment', async () => {
    const { add, printed } = await home();
    const env = pairs(['MODE', 'quiet-value']);

    await add({ command: ['x'], env, yes: true, json: true });

    const report = printed();
    expect(JSON.parse(report)).toMatchObject({
      status: 'added',
      name: 'files',
      command: 'x',
      env: ['MODE'],
      trial: { works: true, tools: ['one'] },
    });
    expect(report).not.toContain('quiet-value');
  });

  test('add of a server that does not work says so and exits with 3; the entry stays', async () => {
    const { io, read } = await home();
    const failing: AddIo = { ...io, tryServer: async () => ({ works: false, reason: 'gone' }) };
    const options = { source: 'files', command: ['x'], isTried: true, yes: true };

    expect(await runAdd(options, failing)).toBe(3);
    expect(await read(FILE)).toContain('"files"');
  });

  test('remove of an unknown server changes nothing and names a near one', async () => {
    const { write, remove, printed, snapshot } = await home();
    await write(FILE, WITH_COMMENTS.replace('"a"', '"files"'));
    const before = await snapshot();

    expect(await remove('file', { yes: true })).toBe(1);

    expect(printed()).toContain('has no server file. Near: files');
    expect(await snapshot()).toEqual(before);
  });
});

test('a plan that the configuration would refuse is refused before anything is written', () => {
  const wanted = { source: 'crm', command: [], url: 'ftp://x' };

  expect(() => planAdd(wanted, undefined)).toThrow(PmlError);
});
