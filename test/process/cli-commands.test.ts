/** The commands that people use every day, on one daemon. */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCode, scriptServers } from '../helpers/code-client.js';
import { textOf } from '../helpers/pml-client.js';
import { type CommandResult, fixtureServer, Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

let workspace: Workspace;
const json = ({ stdout }: CommandResult): unknown => JSON.parse(stdout);

beforeAll(async () => {
  workspace = await Workspace.create({});
  const { talk } = scriptServers({ root: workspace.path, ledger: 'ledger' });
  workspace.configure({
    mcpServers: {
      talk,
      plain: fixtureServer('plain-server.mjs', { LEDGER: join(workspace.path, 'ledger') }),
    },
    permissions: { ask: ['plain:effect'] },
  });
});

afterAll(() => workspace[Symbol.asyncDispose]());

// covers: CLI-CALL
test('pml call reads options by the schema, prints the result alone, and ends with the code of the run', async () => {
  const called = await workspace.run('call', 'plain:echo', '--text', 'hello world');
  const asJson = await workspace.run(
    'call',
    'plain:echo',
    '--args',
    '{"text": "[1, 2]"}',
    '--json',
  );
  const wrong = await workspace.run('call', 'plain:echo', '--txt', 'x');
  const unknown = await workspace.run('call', 'plain:ecko');
  const help = await workspace.run('call', 'plain:slow', '--help');
  const held = await workspace.run('call', 'plain:effect', '--key', 'k');
  const approved = await workspace.run('continue', 'latest', 'approve');

  expect(called).toMatchObject({ code: 0, stdout: 'hello world\n' });
  expect(json(asJson)).toEqual([1, 2]);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean --text?') });
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('plain:echo') });
  expect(help.stdout).toMatch(/--ms +number +required/);
  expect(held).toMatchObject({ code: 3, stdout: expect.stringContaining('approve') });
  expect(approved.code).toBe(0);
  expect(readFileSync(join(workspace.path, 'ledger'), 'utf8')).toBe('k\n');
});

test('pml tools show and pml list name tools, servers and runs', async () => {
  const shown = await workspace.run('tools', 'show', 'plain:echo');
  const servers = await workspace.run('list');
  const tools = await workspace.run('list', 'tools', '--json');
  const runs = await workspace.run('list', 'runs');

  expect(shown.stdout).toMatch(/Gives back the text[^]*--text +string +required[^]*it only reads/);
  expect(servers.stdout).toBe('plain\ntalk\n');
  expect(json(tools)).toMatchObject({ tools: expect.arrayContaining(['plain:echo', 'talk:rows']) });
  expect(runs.stdout).toMatch(/^run_/);
});

// covers: CLI-SCRIPTS
test('pml run of a script prints what it returns, and pml runs shows its first line', async () => {
  const file = join(workspace.path, 'report.ts');
  const code =
    'const said: string = await mcp.plain.echo({ text: args.word });\nreturn { said, list: [1] };\n';
  writeFileSync(file, code);

  const dry = await workspace.run('run', file, '--dry-run');
  const ran = await workspace.run('run', file, '--args', '{"word": "hi"}');
  const asJson = await workspace.run('run', file, '--args', '{"word": "hi"}', '--json');
  const runs = await workspace.run('runs', '-n', '1');

  expect(dry.stdout).toMatch(/plain:echo +read/);
  expect(ran.stdout).toMatch(/✓ \S+ plain:echo.*\n\{\n {2}"said": "hi",/);
  expect(json(asJson)).toMatchObject({
    returned: { said: 'hi', list: [1] },
    tasks: [{ args: { text: 'hi' }, result: 'hi' }],
  });
  expect(runs.stdout).toContain('const said: string');
});

test('pml result prints a kept result or a part of it; capabilities run prints the result', async () => {
  await using client = await workspace.connect();
  const tasks = [{ tool: 'talk:rows', args: { count: 5_000 } }];
  const preview = textOf(await client.call('pml_execute_workflow', { tasks }));
  const handle = /kept as (r_[\w-]+)/.exec(preview)?.[1] ?? '';
  const code = "const a = await mcp.plain.echo({ text: 'deep' }); return { twice: [a, a] };";
  await runCode(client, code, { intent: 'echo a word twice' });
  const { capabilities } = json(await workspace.run('capabilities', '--json')) as {
    capabilities: readonly { readonly name: string }[];
  };

  const part = await workspace.run('result', handle, '--path', 'rows[4998:5000].name');
  const whole = await workspace.run('result', handle, '--json');
  const gone = await workspace.run('result', 'r_nothing');
  const ran = await workspace.run('capabilities', 'run', capabilities[0]!.name);

  expect(json(part)).toEqual(['row 4998', 'row 4999']);
  expect(json(whole)).toMatchObject({ handle, value: { rows: expect.any(Array) } });
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('RESULT_NOT_FOUND') });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/\{"twice":\["deep","deep"\]\}/);
  expect(ran.stdout).toMatch(/plain:echo, \d+ ms\n(?! {4})/);
});

test('pml status shows calls, failures, the median and the last use of each server', async () => {
  const shown = await workspace.run('status');

  expect(shown.stdout).toMatch(/server +state +tools +calls +failed +median +last use/);
  expect(shown.stdout).toMatch(/plain +running +6 +\d+ +0 +\d+ ms +20\d\d-/);
});

/** How each shell is asked what follows a line; each gives one word a line. */
const SHELLS = {
  bash: (line: string) =>
    `source <(pml completion bash); COMP_LINE='${line}'; COMP_POINT=${line.length}; _pml; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line: string) =>
    `compdef() {}; compadd() { shift; print -rl -- "$@" }; _files() {}; source <(pml completion zsh); words=(${quoted(line)}); CURRENT=$#words; _pml`,
  fish: (line: string) => `pml completion fish | source; complete -C '${line}'`,
} as const;

const quoted = (line: string) =>
  line
    .split(' ')
    .map((word) => `'${word}'`)
    .join(' ');

function hasShell(name: string): boolean {
  return spawnSync(name, ['-c', 'exit 0']).status === 0;
}

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('the completion script', (shell) => {
  const isMissing = !hasShell(shell);

  test.skipIf(isMissing)(
    `the completion script of ${shell} completes commands, servers, tools and options${isMissing ? ' (skipped: not installed)' : ''}`,
    async () => {
      const folder = join(workspace.path, `bin-${shell}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'pml'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
      chmodSync(join(folder, 'pml'), 0o755);
      const env = {
        PATH: `${folder}${delimiter}${process.env['PATH']}`,
        HOME: workspace.path,
        PML_CONFIG: workspace.configPath,
      };
      const complete = async (line: string) => {
        const { stdout } = await promisify(execFile)(shell, ['-c', SHELLS[shell](line)], {
          env,
          cwd: folder,
        });
        return stdout.trim().split('\n');
      };

      expect(await complete('pml capab')).toEqual(['capabilities']);
      expect(await complete('pml logs ')).toEqual(expect.arrayContaining(['plain', 'talk']));
      // Bash has cut the line at the colon.
      expect(await complete('pml call plain:ec')).toEqual([
        shell === 'bash' ? 'echo' : 'plain:echo',
      ]);
      expect(await complete('pml call plain:echo --te')).toEqual(['--text']);
    },
  );
});

test('pml version and wrong commands end with the code that scripts expect', async () => {
  const version = await workspace.run('--version');
  const unknown = await workspace.run('statsu');

  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('pml status') });
});
