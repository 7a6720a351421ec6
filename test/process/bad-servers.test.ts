import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { chaos, plain, Workspace } from '../helpers/workspace.js';

describe('servers that misbehave from the start', () => {
  let workspace: Workspace;
  let client: PmlClient;

  beforeAll(async () => {
    workspace = await Workspace.create({
      limits: { startTimeoutMs: 4_000 },
      mcpServers: {
        good: plain(),
        silent: chaos('no-init'),
        exiting: chaos('exit-init'),
        crashing: chaos('crash-init'),
        refusing: chaos('refuse-init'),
        ancient: chaos('bad-version'),
        absent: { command: 'no-such-program-anywhere' },
        hanging: chaos('list-hang'),
        failing: chaos('list-error'),
        nonsense: chaos('list-nonsense'),
        banner: chaos('banner'),
        garbage: chaos('garbage'),
        unterminated: chaos('unterminated'),
        slow: chaos('slow-init:200'),
        schema: chaos('bad-schema'),
        twins: chaos('duplicate-names'),
        poison: chaos('poison'),
        endless: chaos('list-endless'),
        many: chaos('many:5000'),
      },
    });
    client = await workspace.connect();
    await vi.waitFor(
      async () => {
        const { servers } = await workspace.status();
        const open = servers.filter(({ listed, lastError }) => !listed && lastError === undefined);
        if (open.length > 0) throw new Error(`still open: ${open.map(({ name }) => name).join()}`);
      },
      { timeout: 60_000, interval: 100 },
    );
  });

  afterAll(async () => {
    await workspace[Symbol.asyncDispose]();
  });

  const run = (tool: string, args: object) =>
    client.call('pml_execute_workflow', { tasks: [{ tool, args }] });

  test.each([
    ['silent', /silent failed to initialize: did not answer within 4000 ms/],
    ['exiting', /exiting exited with code 3/],
    ['crashing', /crashing was ended by SIGKILL/],
    ['refusing', /refusing failed to initialize: licence expired/],
    ['ancient', /ancient speaks protocol version "1999-12-31"/],
    ['absent', /absent could not be started \(no-such-program-anywhere\)/],
    ['hanging', /hanging: no answer to tools\/list within 4000 ms/],
    ['failing', /database is locked/],
    ['nonsense', /nonsense: the answer to tools\/list has no list "tools"/],
  ])('status names the reason why server %s failed', async (name, reason) => {
    expect((await workspace.server(name)).lastError).toMatch(reason);
  });

  test.each(['exiting', 'crashing', 'refusing', 'ancient', 'absent'])(
    'call to failed server %s gets an error code',
    async (name) => {
      const answer = await run(`${name}:act`, { mode: 'ok' });

      expect(textOf(answer)).toMatch(
        /^\[SERVER_(CRASHED|NOT_STARTED|PROTOCOL_ERROR|BROKEN)\] .*Server/,
      );
      expect(answer.result?.['isError']).toBe(true);
      expect(await client.text('good__echo', { text: name })).toBe(name);
    },
  );

  test.each(['silent', 'hanging', 'failing'])(
    'call to an unlisted tool of server %s gets the reason',
    async (name) => {
      const answer = await client.call(`${name}__act`, { mode: 'ok' });

      expect(textOf(answer)).toMatch(/^\[SERVER_NOT_STARTED\] .* has not listed its tools: /);
    },
  );

  test.each(['banner', 'garbage', 'unterminated', 'slow', 'schema', 'twins', 'poison', 'many'])(
    'client can use the valid tools of server %s',
    async (name) => {
      expect(await client.text(`${name}__act`, { mode: 'ok' })).toBe('ok');
    },
  );

  // covers: SERVER-BROKEN-TOOL
  test('PML drops broken and duplicate tool definitions and keeps the others', async () => {
    const { stdout } = await workspace.run('tools', '--json');
    const tools = JSON.parse(stdout) as {
      id: string;
      status: string;
      definition: { description?: string };
    }[];
    const stateOf = (id: string) => tools.filter((tool) => tool.id === id);

    expect(stateOf('schema:untyped').map(({ status }) => status)).toEqual(['quarantined']);
    expect(stateOf('schema:nullish').map(({ status }) => status)).toEqual(['quarantined']);
    expect(stateOf('twins:act').map(({ definition }) => definition.description)).toEqual([
      'Acts in the way it is told',
    ]);
    expect(tools.filter(({ id }) => id.startsWith('many:'))).toHaveLength(5_003);
    const endless = tools.filter(({ id }) => id.startsWith('endless:'));
    expect(endless.length).toBeGreaterThan(1);
    expect(endless.length).toBeLessThanOrEqual(20_000);
  });

  test('search finds a tool among thousands', async () => {
    const found = await client.text('pml_discover', { intent: 'give back a text', limit: 3 });

    expect(found).toContain('good:echo');
  });
});

// covers: SERVER-HANGS
test('three hanging servers delay neither initialize, lists, search nor calls to other servers', async () => {
  await using workspace = await Workspace.create({
    exposure: 'hybrid',
    limits: { startTimeoutMs: 600_000, backgroundStarts: 2 },
    mcpServers: {
      a: chaos('no-init'),
      b: chaos('no-init'),
      c: chaos('no-init'),
      good: plain(),
    },
  });
  const client = await workspace.connect();

  const list = await client.request('tools/list');
  const found = await client.text('pml_discover', { intent: 'give back a text' });
  const echoed = await client.text('good__echo', { text: 'hello' });

  expect(list.result?.['tools']).not.toEqual([]);
  expect(found).toContain('Not listed yet (starting or failing): a, b, c');
  expect(echoed).toBe('hello');
  // Hanging servers have ten minutes to initialize: nothing above can have waited for them.
  const states = async () =>
    (await workspace.status()).servers.map(({ name, state }) => `${name} ${state}`);
  await expect.poll(states).toEqual(['a starting', 'b starting', 'c starting', 'good running']);
});

// covers: SERVER-CACHED
test('PML answers lists and search from its cache while every server hangs', async () => {
  await using workspace = await Workspace.create('{}');
  const fault = join(workspace.path, 'fault');
  workspace.configure({
    exposure: 'proxy',
    limits: { startTimeoutMs: 600_000 },
    mcpServers: {
      one: chaos('', { FAULT_FILE: fault }, { start: 'background' }),
      two: chaos('', { FAULT_FILE: fault }),
    },
  });
  const first = await workspace.connect();
  const before = await first.request('tools/list');
  await workspace.stop();
  writeFileSync(fault, 'no-init');

  const second = await workspace.connect();
  const after = await second.request('tools/list');

  expect(after.result).toEqual(before.result);
  expect(JSON.stringify(after.result)).toContain('"two__act"');
  expect(await workspace.server('one')).toMatchObject({ state: 'starting', tools: 3 });
  expect(await workspace.server('two')).toMatchObject({ state: 'stopped', tools: 3 });
});
