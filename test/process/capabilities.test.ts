/** Code that worked becomes a capability: PML finds, runs, watches, changes and exports it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type {
  CapabilityDetails,
  CapabilityRow,
  ImportedCapabilities,
} from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { decideScript, runCode, scriptServers } from '../helpers/code-client.js';
import { execute, goOn, runOf } from '../helpers/counter.js';
import { identityOfText } from '../helpers/of-text.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { killIfAlive, Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

const SECRET = 'sk-live-4242424242';
const CHANGING = fileURLToPath(new URL('../fixtures/changing-server.mjs', import.meta.url));

let workspace: Workspace;
/** Another machine. */
let other: Workspace;
let client: PmlClient;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  workspace.configure(configOf(workspace.path));
  other = await Workspace.create('{}');
  const { one } = scriptServers({ root: other.path, ledger: 'ledger' });
  other.configure({ embedding: 'none', workflows: { guesses: 'show' }, mcpServers: { one } });
  // A new store takes seconds: create both at once.
  [client] = await Promise.all([workspace.connect(), other.connect()]);
  await client.call('pml_discover', { intent: 'append' });
});

afterAll(async () => {
  await Promise.all([workspace, other].map((one) => one[Symbol.asyncDispose]()));
});

function configOf(root: string): Json {
  const { one, files } = scriptServers({ root, ledger: 'ledger' });
  return {
    embedding: 'none',
    // These calls pass no arguments, so capabilities use the values they were learned with.
    workflows: { guesses: 'show' },
    mcpServers: {
      one: { ...one, env: { ...one.env, API_TOKEN: SECRET } },
      files,
      book: {
        command: process.execPath,
        args: [CHANGING],
        env: { STATE: join(root, 'state.json') },
      },
    },
  };
}

const inWorkspace = (name: string) => join(workspace.path, name);
const setState = (state: Json) => writeFileSync(inWorkspace('state.json'), JSON.stringify(state));
const timesOf = (key: string) => {
  const ledger = inWorkspace('ledger');
  const written = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n') : [];
  return written.filter((one) => one === key).length;
};

/** Sends a CLI command's request to the daemon without the cost of a process. */
const control = async (method: string, params: Json = {}, { dataDir } = workspace) => {
  const answer = await askDaemon(dataDir, method, params as never);
  if (!answer) throw new Error('no daemon runs');
  return answer as unknown;
};
/** Everything a run has done so far, as text. */
const historyOf = async (run: string) =>
  JSON.stringify(await control('run-watch', { run, after: 0, waitMs: 0 }));
const show = async (name: string) =>
  (await control('capability-show', { name })) as CapabilityDetails;
const list = async () => {
  const { capabilities } = (await control('capabilities')) as { capabilities: CapabilityRow[] };
  return capabilities;
};

/** Runs working code and returns the name of the capability learned from it. */
async function learn(intent: string, code: string, rest: Json = {}): Promise<string> {
  const known = new Set((await list()).map(({ name }) => name));
  const asked = await runCode(client, code, { intent, answer_within_ms: 25_000, ...rest });
  const isHeld = asked.status === 'needs_approval';
  const told = isHeld ? await decideScript(client, asked.run, 'approve') : asked;
  expect(told).toMatchObject({ status: 'completed' });
  // Not `expect.poll`: hooks learn too.
  return vi.waitFor(async () => {
    const fresh = (await list()).find(({ name }) => !known.has(name));
    if (!fresh) throw new Error(`nothing was learned from: ${intent}`);
    return fresh.name;
  });
}

const runIt = async (capability: string, args: Json = {}, rest: Json = {}) =>
  client.call('pml_execute_workflow', { capability, args, ...rest });

async function offered(question: Json): Promise<readonly string[]> {
  const { hits } = JSON.parse(textOf(await client.call('pml_discover', question))) as {
    hits: { tool: string }[];
  };
  return hits.map(({ tool }) => tool);
}

describe('code that worked over two servers', () => {
  const intent = 'count the words of a note and write the title into the ledger';
  let name: string;

  beforeAll(async () => {
    writeFileSync(inWorkspace('a.txt'), 'one two three');
    writeFileSync(inWorkspace('b.txt'), 'one two three four');
    name = await learn(
      intent,
      `const file = await mcp.files.read_text_file({ path: ${JSON.stringify(inWorkspace('a.txt'))} });
      const words = (file.content ?? file).split(' ').length;
      await mcp.one.append({ key: 'title-a' });
      return { words };`,
    );
  });

  test('capability is found by the same intent in other words', async () => {
    const found = await offered({
      intent: 'how many words has this note, and put its title in the ledger',
    });

    expect(found[0]).toBe(`cap:${name}`);
  });

  test('capability is not predicted as the next step of the run that PML learned it from', async () => {
    const { run } = (await show(name)).versions[0]!;
    const explained = await workspace.run('explain', run!, '--json');

    const { execution } = JSON.parse(explained.stdout) as {
      execution: { calls: readonly object[]; next: readonly { tool: string }[] };
    };
    expect(execution.calls).toContainEqual(expect.objectContaining({ tool: 'one:append' }));
    expect(execution.next.map(({ tool }) => tool)).not.toContain(`cap:${name}`);
  });

  test('capability runs with other arguments alone, as a task, in code and by command', async () => {
    const args = (key: string) => ({ path: inWorkspace('b.txt'), key });

    const alone = await runIt(name, args('alone'));
    const task = await execute(client, [
      { id: 'a', tool: `cap:${name}`, args: args('task') },
      { id: 'b', tool: 'one:append', args: { key: 'after-${a.words}' } },
    ]);
    const script = await runCode(
      client,
      `return (await cap.${name}(${JSON.stringify(args('script'))})).words * 10`,
    );
    const given = ['--args', JSON.stringify(args('command'))];
    const ran = await workspace.run('capabilities', 'run', name, ...given, '--json');

    expect(textOf(alone)).toContain('"words":4');
    expect(runOf(task).tasks['a']).toMatchObject({ result: { words: 4 } });
    expect(timesOf('after-4')).toBe(1);
    expect(script).toMatchObject({ status: 'completed', result: 40 });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ tasks: [{ result: { words: 4 } }, {}, {}] });
    expect(['alone', 'task', 'script', 'command'].map(timesOf)).toEqual([1, 1, 1, 1]);
  });

  test('capability refuses unknown arguments before anything runs, however it is called', async () => {
    const before = await show(name);
    const args = { key: 'never', whatever: 'x' };

    const alone = await runIt(name, args);
    const task = await execute(client, [
      { id: 'first', tool: 'one:append', args: { key: 'never-first' } },
      { id: 'a', tool: `cap:${name}`, args, needs: ['first'] },
    ]);
    const script = await runCode(
      client,
      `try { return await cap.${name}(${JSON.stringify(args)}) } catch (error) { return error.message }`,
    );

    const words = /whatever: unknown name; known are path, key/;
    expect(textOf(alone)).toMatch(/\[ARGUMENTS_INVALID\]/);
    expect(textOf(alone)).toMatch(words);
    expect(textOf(task)).toMatch(words);
    expect(script.result).toMatch(words);
    expect(textOf(await runIt(name, { kee: 'x' }))).toMatch(/kee: .*did you mean "key" or "path"/);
    expect(['never', 'never-first'].map(timesOf)).toEqual([0, 0]);
    expect((await show(name)).uses).toBe(before.uses);
  });

  test('capability survives a daemon restart, with its use count', async () => {
    const before = await show(name);

    await workspace.run('restart');
    const found = await offered({ name: `cap:${name}` });
    const answer = await runIt(name, { key: 'restarted' });

    expect(found).toEqual([`cap:${name}`]);
    expect(textOf(answer)).toContain('"words":3');
    expect(await show(name)).toMatchObject({
      code: before.code,
      uses: before.uses + 1,
      successes: before.successes + 1,
    });
  });

  test('capability is not offered to an agent that searches for something else', async () => {
    const question = { intent: 'translate a poem into Finnish', kind: 'capability' };
    const answer = textOf(await client.call('pml_discover', question));

    expect(JSON.parse(answer)).toMatchObject({
      hits: [],
      note: expect.stringMatching(/^No capability fits\. Repeat without "kind"/),
    });
    expect(await offered({ intent, kind: 'capability' })).toContain(`cap:${name}`);
  });

  test('CLI lists and shows a capability', async () => {
    const listed = await workspace.run('capabilities');
    const shown = await workspace.run('show', name);

    expect(listed.stdout).toMatch(new RegExp(`${name} +active +6 +100 %`));
    expect(shown.stdout).toContain(`cap.${name}(args?: { path?: string; key?: string })`);
    expect(shown.stdout).toMatch(
      /files:read_text_file path=args\.path\n[^]*one:append key=args\.key/,
    );
    expect(shown.stdout).toMatch(/one:append [0-9a-f]{12} unchanged/);
    expect(shown.stdout).toContain(intent);
    await expect(show(`${name}x`)).rejects.toMatchObject({
      code: 'TOOL_UNKNOWN',
      message: expect.stringContaining(`The nearest: ${name}`),
    });
  });
});

describe('what no longer works', () => {
  let name: string;

  beforeAll(async () => {
    name = await learn(
      'note the number of a person',
      `const found = await mcp.book.lookup({ name: 'Ada' });
      await mcp.one.append({ key: 'number-' + found.number });
      return found.number;`,
    );
  });

  test('capability is quarantined with a reason after three failures, and offered again after a success', async () => {
    // One success restores a capability that worked often.
    for (let time = 0; time < 4; time++) await runIt(name);
    setState({ isBroken: true });
    for (let time = 0; time < 3; time++) {
      expect((await runIt(name)).result).toMatchObject({ isError: true });
    }
    const failed = await show(name);
    const found = await offered({ pattern: 'cap:*' });
    setState({});
    const answer = await runIt(name, { name: 'Grace' });

    expect(failed).toMatchObject({
      status: 'quarantined',
      cause: 'failures',
      reason: 'it failed 3 times in a row',
    });
    expect(found).not.toContain(`cap:${name}`);
    expect(textOf(answer)).toContain('555');
    expect(await show(name)).toMatchObject({ status: 'active', failuresInRow: 0 });
    expect(await offered({ pattern: 'cap:*' })).toContain(`cap:${name}`);
  });

  test('capability is quarantined with a diff when the schema of its tool changes', async () => {
    const statusOf = async () => (await show(name)).status;

    setState({ parameter: 'person' });
    await control('refresh', { server: 'book' });
    await expect.poll(statusOf).toBe('quarantined');
    const shown = await workspace.run('capabilities', 'show', name);
    const found = await offered({ pattern: 'cap:*' });
    setState({});
    await control('refresh', { server: 'book' });

    expect(shown.stdout).toMatch(/book:lookup: .*name/);
    expect(shown.stdout).toContain('- inputSchema: {"properties":{"name":');
    expect(shown.stdout).toContain('+ inputSchema: {"properties":{"person":');
    expect(found).not.toContain(`cap:${name}`);
    await expect.poll(statusOf).toBe('active');
  });
});

test('PML stores learned code without its secrets', async () => {
  const name = await learn(
    'write the token into the ledger',
    `await mcp.one.append({ key: '${SECRET}' }); return await mcp.one.size({ text: 'measured' })`,
  );

  const exported = JSON.stringify(await control('capabilities-export'));
  const { parameters } = await show(name);

  expect(exported).toContain(name);
  expect(exported).not.toContain(SECRET);
  expect(parameters['required']).toEqual(['key']);
});

test('PML does not learn code that names a kept result or returns only empty objects', async () => {
  const known = (await list()).length;
  const before = { intent: 'take a kept result', answer_within_ms: 25_000 };
  await runCode(
    client,
    `const kept = await load('r_0aZ9xYkQ2b4c').catch(() => 0); return [kept, await mcp.one.size({ text: 'kept' })]`,
    before,
  );
  await runCode(
    client,
    `const size = mcp.one.size({ text: 'hollow' }); await size; return [{ ...size }, { ...size }]`,
    { ...before, intent: 'give empty objects' },
  );

  // PML learns in order: once it learned this run, it has considered those before.
  const name = await learn(
    'measure what comes after',
    `return [await mcp.one.size({ text: 'after' }), await mcp.one.size({ text: 'that' })]`,
  );

  expect((await list()).map((one) => one.name)).toContain(name);
  expect(await list()).toHaveLength(known + 1);
});

describe('a run of a capability', () => {
  test('run of a capability waits for approval of its inner call, and makes it once', async () => {
    const name = await learn(
      'clean everything up',
      `await mcp.one.append({ key: 'before-cleaning' });
      return await mcp.one.delete_all({ key: 'cleaned' })`,
    );

    const paused = runOf(await runIt(name, { key: 'noted', deleteAllKey: 'approved' }));
    const before = timesOf('approved');
    const done = await goOn(client, paused.run, 'approve');

    expect(paused.status).toBe('needs_approval');
    expect(paused.asks).toMatchObject([{ tool: 'one:delete_all', args: { key: 'approved' } }]);
    expect(before).toBe(0);
    expect(textOf(done)).toContain('deleted approved');
    expect([timesOf('noted'), timesOf('approved')]).toEqual([1, 1]);
  });

  test('run of a capability repeats no call when the daemon is killed halfway', async () => {
    const name = await learn(
      'write, rest, write',
      `await mcp.one.append({ key: 'first' });
      await mcp.one.slow({ ms: 1 });
      await mcp.one.append({ key: 'second' });
      return 'rested'`,
    );
    const args = { key: 'kill-first', ms: 1_500, appendKey: 'kill-second' };
    const { run } = runOf(await runIt(name, args, { answer_within_ms: 300 }));
    // Only the next call proves that the first result is on disk.
    await expect.poll(() => historyOf(run)).toContain('one:slow');

    killIfAlive(workspace.daemonPid());
    const done = await goOn(client, run, 'wait', { answer_within_ms: 20_000 });

    expect(textOf(done)).toBe('rested');
    expect([timesOf('kill-first'), timesOf('kill-second')]).toEqual([1, 1]);
  });
});

describe('capabilities that call capabilities', () => {
  let inner: string;
  let outer: string;

  beforeAll(async () => {
    inner = await learn(
      'measure a text and note it',
      `const size = await mcp.one.size({ text: 'abc' });
      await mcp.one.append({ key: 'measured' });
      return Number(size)`,
    );
    outer = await learn(
      'measure two texts',
      `const a = await cap.${inner}({ text: 'abcd', key: 'left' });
      const b = await cap.${inner}({ text: 'abcdef', key: 'right' });
      await mcp.one.append({ key: 'both' });
      return a + b`,
    );
  });

  test('capabilities list their callers and callees', async () => {
    expect(await show(outer)).toMatchObject({ contains: [inner] });
    expect(await show(inner)).toMatchObject({ containedBy: [outer] });
    expect(textOf(await runIt(outer, { text: 'xy' }))).toContain('8');
  });

  test('run of nested capabilities shows the calls of each', async () => {
    const { run } = await runCode(client, `return await cap.${outer}({ text: 'xyz' })`);

    const shown = await workspace.run('show', run);
    const lines = shown.stdout.split('\n').map((line) => /^ *✓ \w+ +\S+/.exec(line)?.[0]);

    const told = lines.flatMap((line) => (line ? [line.replace(/✓ \w+ +/, '')] : [])).slice(0, 7);
    expect(told).toEqual([
      `cap:${outer}`,
      `  cap:${inner}`,
      '    one:size',
      '    one:append',
      `  cap:${inner}`,
      '    one:size',
      '    one:append',
    ]);
  });

  test('nested capabilities are exported to another machine together', async () => {
    const file = inWorkspace('capabilities.json');

    const exported = await workspace.run('capabilities', 'export', outer, '--out', file);
    const imported = await other.run('capabilities', 'import', file);
    const again = (await control(
      'capabilities-import',
      { file: JSON.parse(readFileSync(file, 'utf8')) as Json },
      other,
    )) as ImportedCapabilities;
    const ran = await other.run('capabilities', 'run', outer);

    expect(exported).toMatchObject({ code: 0, stdout: `2 capabilities in ${file}.\n` });
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toBe(`${inner}: imported\n${outer}: imported\n`);
    expect(again.outcomes.map(({ kind }) => kind)).toEqual(['known', 'known']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('10');
  });

  test('renamed capability still answers to its old name', async () => {
    const renamed = await workspace.run('capabilities', 'rename', inner, 'measureText');

    expect(renamed.stdout).toBe(`${inner} is measureText now.\n`);
    expect(textOf(await runIt(outer))).toContain('10');
    expect(await runCode(client, `return await cap.${inner}({ text: 'ab' })`)).toMatchObject({
      result: 2,
    });
    expect((await show('measureText')).aliases).toEqual([inner]);
  });

  test('capability can never call itself', async () => {
    const round = (name: string, other: string) => {
      const code = `const once = await cap.${other}({}); return [once, await cap.${other}({})]`;
      return { ...EMPTY_ENTRY, name, code, identity: identityOfText(code), contains: [other] };
    };
    const capabilities = [round('roundA', 'roundB'), round('roundB', 'roundA')];
    const file = { format: 'pml-capabilities', version: 1, capabilities };

    const merging = control('capability-change', { action: 'merge', name: inner, into: outer });
    await expect(merging).rejects.toThrow(/would come to call itself/);
    const { outcomes } = (await control('capabilities-import', { file })) as ImportedCapabilities;

    expect(outcomes).toMatchObject([
      { kind: 'refused', reason: expect.stringContaining('roundB') },
      { kind: 'refused', reason: expect.stringContaining('roundA') },
    ]);
  });

  test('capability with callers is only deleted or disabled with force', async () => {
    const change = (action: string) =>
      control('capability-change', { action, name: 'measureText', force: true });

    const refused = await workspace.run('capabilities', 'delete', 'measureText');
    await change('disable');
    const broken = await show(outer);
    await change('enable');

    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(outer) });
    expect(broken).toMatchObject({ status: 'quarantined', cause: 'contained' });
    expect(await show(outer)).toMatchObject({ status: 'active' });
  });

  test('exported capabilities find each other after a rename', async () => {
    const { capabilities } = (await control('capabilities-export', { name: outer })) as {
      capabilities: { name: string; aliases?: string[]; contains: string[] }[];
    };
    const known = capabilities.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

    expect(known).toEqual(expect.arrayContaining(capabilities.flatMap(({ contains }) => contains)));
  });

  // The name of a forgotten capability is free, even if others still call it.
  test('capability cannot call itself by a new name', async () => {
    const third = await learn(
      'measure, then read all',
      `await mcp.one.read({}); return await cap.${outer}({})`,
    );
    await control('capability-change', { action: 'delete', name: inner, force: true });

    const renaming = control('capability-change', { action: 'rename', name: third, to: inner });

    await expect(renaming).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

/** An entry of an export file with fields that these tests ignore. */
const EMPTY_ENTRY = {
  description: 'goes round',
  intents: [],
  parameters: { type: 'object', properties: {} },
  lock: {},
  sequence: [],
};
