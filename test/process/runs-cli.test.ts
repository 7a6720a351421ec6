/** Workflows on the command line: start, list, show, watch, decide, interrupt. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunDetails, RunEventInfo, RunInfo } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { type CommandResult, fixtureServer, killIfAlive, Workspace } from '../helpers/workspace.js';

const NO_MODEL = { embedding: 'none' };

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.create({});
  workspace.configure({
    ...NO_MODEL,
    mcpServers: { plain: fixtureServer('plain-server.mjs', { LEDGER: ledgerPath() }) },
    permissions: { ask: ['plain:effect'] },
  });
});

afterAll(() => workspace[Symbol.asyncDispose]());

const ledgerPath = () => join(workspace.path, 'ledger');
const ledger = () => readFileSync(ledgerPath(), 'utf8').trim().split('\n');

function planFile(name: string, plan: unknown): string {
  const path = join(workspace.path, name);
  writeFileSync(path, typeof plan === 'string' ? plan : JSON.stringify(plan));
  return path;
}

const details = ({ stdout }: CommandResult) => JSON.parse(stdout) as RunDetails;
const echo = (id: string, text: string) => ({ id, tool: 'plain:echo', args: { text } });
const slow = (id: string, ms: number) => ({ id, tool: 'plain:slow', args: { ms } });
const effect = (id: string, key: string) => ({ id, tool: 'plain:effect', args: { key } });

interface AgentAnswer {
  readonly run: string;
  readonly status: string;
  readonly tasks: Readonly<Record<string, { readonly status: string }>>;
}

/** Every status that an agent reads about a run, by task. */
const wordsOf = ({ status, tasks }: AgentAnswer) => ({
  run: status,
  ...Object.fromEntries(Object.entries(tasks).map(([id, task]) => [id, task.status])),
});
const wordsShown = ({ status, tasks }: RunDetails) => ({
  run: status,
  ...Object.fromEntries(tasks.map((task) => [task.id, task.status])),
});

describe('a run that asks nothing', () => {
  test('pml run shows progress on stderr and results on stdout; the run is then listed and shown', async () => {
    const plan = planFile(
      'plan.jsonc',
      `// comments are fine
      [
        { "id": "a", "tool": "plain:echo", "args": { "text": "one\\u001b[31m" } },
        { "id": "b", "tool": "plain:echo", "args": { "text": "\${a} two" } },
      ]`,
    );

    const ran = await workspace.run('run', plan, '--intent', 'say it');
    const listed = await workspace.run('runs');
    const shown = await workspace.run('show', 'latest');

    expect(ran.stderr).toMatch(/a started\n(.*\n)*.*b completed: \d+ ms\n(.*\n)*.*run completed/);
    expect(ran.stdout).toContain(String.raw`    one\u{1b}[31m two`);
    expect(ran.stdout).toMatch(/run_\S+ completed: 2 of 2 tasks/);
    expect(ran.code).toBe(0);
    expect(listed.stdout).toMatch(/run_\S+ +completed +2\/2 .* say it/);
    expect(shown.stdout).toMatch(/✓ a {4}plain:echo +█+ +\d+ ms\n {2}✓ b +plain:echo +█+ .*← a/);
    expect(shown.code).toBe(0);
  });

  // covers: RANKING-MEASURED
  test('pml explain shows a run with its values, and the plan for an intent [EXPLAIN-WHY]', async () => {
    const client = await workspace.connect();
    const intent = 'echo a text back';
    await client.text('pml_execute_workflow', { intent });
    await client.text('pml_execute_workflow', {
      tasks: [echo('a', 'x'), echo('b', '${a}')],
      intent,
    });
    await client[Symbol.asyncDispose]();

    const plan = await workspace.run('explain', ...intent.split(' '));
    const run = await workspace.run('explain', 'latest');
    const json = await workspace.run('explain', 'latest', '--json');
    const nothing = await workspace.run('explain', 'run_no');
    const metrics = await workspace.run('metrics', 'ranking');
    const reliability = await workspace.run('metrics');
    const claims = await workspace.run('metrics', '--json');
    const wrong = await workspace.run('metrics', 'ranking', '--last', 'all');

    expect(plan).toMatchObject({ code: 0 });
    expect(plan.stdout).toMatch(/^\d+ % sure.*\n(.*\n)*1\. echo {2}plain:echo/);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(/a plan for "echo a text back" at .*plain:echo/);
    expect(run.stdout).toMatch(/2\. ✓ plain:echo .*text ← 1/);
    expect(JSON.parse(json.stdout)).toMatchObject({ execution: { intent, ok: true } });
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('No run begins') });
    expect(metrics).toMatchObject({ code: 0 });
    expect(metrics.stdout).toMatch(/plans suggested \(suggest\) +1 +100 %/);
    expect(metrics.stdout).toContain('Too few decisions of suggest: 1 of at least 20.');
    expect(reliability.stdout).toMatch(/whole plans \(what agents did next\) +1 +\d+ % +100 %/);
    expect(reliability.stdout).toMatch(/members +shipped +nothing measured yet/);
    expect(JSON.parse(claims.stdout)).toMatchObject({
      claims: expect.arrayContaining([expect.objectContaining({ kind: 'plans', source: 'live' })]),
      parts: [
        { part: 'discovery' },
        { part: 'members' },
        { part: 'links' },
        { part: 'next' },
        { part: 'confidence' },
        { part: 'attention' },
        { part: 'bindings' },
        { part: 'vectors' },
      ],
    });
    expect(wrong.code).toBe(2);
  });

  test('pml finds a single read-only call, although PML does not wait for its journal', async () => {
    const plan = planFile('lone.json', [echo('a', 'alone')]);

    const ran = await workspace.run('run', plan, '--json');

    expect(ran).toMatchObject({ code: 0 });
    expect(details(ran)).toMatchObject({ status: 'completed', tasks: [{ result: 'alone' }] });
  });

  test('pml run reports a failed run by its exit code', async () => {
    const plan = planFile('fails.json', [
      { id: 'a', tool: 'plain:echo', args: { text: '${b.nope}' } },
      echo('b', 'text'),
      { ...echo('c', 'never'), needs: ['a'] },
    ]);

    const ran = await workspace.run('run', plan);

    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/✗ a .*\n {4}\[REFERENCE_INVALID\]/);
    expect(ran.stdout).toMatch(/– c .*\n {4}needs `a`, which failed/);
  });

  test('dry run by command shows the plan and calls nothing', async () => {
    const plan = planFile('dry.json', [effect('e', 'dry'), slow('s', 1)]);
    const holes = planFile('holes.json', [{ tool: 'plain:slow' }]);

    const dry = await workspace.run('run', plan, '--dry-run');
    const open = await workspace.run('run', holes, '--dry-run', '--json');

    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain('e plain:effect: permissions.ask names it');
    expect(dry.stdout).toContain('Dry run: no tool was called.');
    expect(open.code).toBe(1);
    expect(JSON.parse(open.stdout)).toMatchObject({ holes: [{ task: 't1', param: 'ms' }] });
  });

  test('wrong plan file is refused with file, line and remedy', async () => {
    const wrong = planFile('wrong.json', '[\n  { "tool": "plain:ecco", "args": {} }\n]');
    const broken = planFile('broken.json', '[\n  { "tool" }\n]');

    const unknown = await workspace.run('run', wrong);
    const unread = await workspace.run('run', broken);
    const missing = await workspace.run('run', join(workspace.path, 'none.json'));

    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(/wrong\.json:2:3: task t1: .*plain:echo/);
    expect(unread.stderr).toMatch(/broken\.json:2:\d+: not valid JSON: .*\[PLAN_INVALID\]/);
    expect(missing.stderr).toContain('there is no such file');
  });
});

describe('a run that asks', () => {
  test('waiting run prints the commands that answer it; approving makes the call once', async () => {
    const plan = planFile('ask.json', [effect('e', 'approved'), slow('s', 1)]);

    const asked = await workspace.run('run', plan);
    const command = /^pml (continue \S+ approve --task e) /m.exec(asked.stdout)?.[1] ?? '';
    const approved = await workspace.run(...command.split(' '));
    const again = await workspace.run(...command.split(' '));

    expect(asked.code).toBe(3);
    expect(asked.stdout).toContain('task e needs approval (permissions.ask names it):');
    expect(asked.stdout).toContain('  plain:effect {"key":"approved"}');
    expect(approved).toMatchObject({ code: 0 });
    // The command does not repeat events from before the decision.
    expect(approved.stderr).not.toContain('run started');
    expect(approved.stderr).toContain('decided by user: approve');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('[RUN_FINISHED]') });
    expect(ledger()).toEqual(['approved']);
  });

  test('waiting run accepts added tasks, a result, and an end by command', async () => {
    const plan = planFile('change.json', [
      effect('e', 'not called'),
      { ...echo('after', 'got ${e.done}') },
    ]);
    const more = planFile('more.json', [echo('added', '${after}, and more')]);
    const { run } = details(await workspace.run('run', plan, '--json'));

    const short = run.slice(0, 9);
    const injected = await workspace.run('continue', short, 'inject', '--tasks', more);
    const given = ['--task', 'e', '--result', '{"done": true}'];
    const skipped = await workspace.run('continue', run, 'skip', ...given, '--json');

    expect(injected).toMatchObject({ code: 3 });
    expect(skipped).toMatchObject({ code: 0 });
    expect(details(skipped).tasks.find(({ id }) => id === 'added')?.result).toBe(
      'got true, and more',
    );
    expect(ledger()).not.toContain('not called');
  });

  test('agents and pml show --json call the states of a run and of its tasks by the same words', async () => {
    await using client = await workspace.connect();
    const call = async (name: string, args: Record<string, unknown>) =>
      JSON.parse(await client.text(name, args)) as AgentAnswer;
    const tasks = [echo('a', 'one'), effect('e', 'same words')];
    const asked = await call('pml_execute_workflow', { tasks });
    const { run } = asked;
    const shown = details(await workspace.run('show', run, '--json'));
    const ended = await call('pml_continue', { run, decision: 'approve' });
    const after = details(await workspace.run('show', run, '--json'));

    expect(wordsOf(asked)).toEqual({
      run: 'needs_approval',
      a: 'completed',
      e: 'needs_approval',
    });
    expect(wordsOf(ended)).toEqual({ run: 'completed', a: 'completed', e: 'completed' });
    expect([shown, after].map(wordsShown)).toEqual([asked, ended].map(wordsOf));
  });

  test('waiting run is aborted by command, with the reason', async () => {
    const plan = planFile('abort.json', [effect('e', 'never'), slow('s', 1)]);
    const { run } = details(await workspace.run('run', plan, '--json'));
    const open = await workspace.run('runs', '--open', '--json');

    const aborted = await workspace.run('continue', run, 'abort', '--because', 'not today');

    expect((JSON.parse(open.stdout) as { runs: RunInfo[] }).runs.map((one) => one.run)).toContain(
      run,
    );
    expect(aborted.code).toBe(1);
    expect(aborted.stdout).toContain('not today');
    expect((await workspace.run('runs', '--open')).stdout).toContain('No run is open.');
  });

  test('exit codes distinguish wrong usage and unknown runs from failures of a run', async () => {
    const misused = await workspace.run('continue', 'latest', 'approve', '--tasks', 'x.json');
    const unknown = await workspace.run('show', 'run_nothing');
    const help = await workspace.run('run', '--help');

    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('not for approve') });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('[RUN_UNKNOWN]') });
    expect(help.stdout).toMatch(/3 it waits for an approval[^]*4 it is still running/);
  });
});

describe('a run that takes long', () => {
  const plan = (ms: number) =>
    planFile('slow.json', [slow('s', ms), echo('after', 'slept well: ${s}')]);

  test('long run continues without the command that started it, and can be watched', async () => {
    const started = await workspace.run('run', plan(1_000), '--no-wait', '--json');
    const { run } = details(started);
    const watched = await workspace.run('watch', run, '--json');
    const lines = watched.stdout.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as RunEventInfo);

    expect(started.code).toBe(4);
    expect(watched.code).toBe(0);
    expect(events[0]).toMatchObject({ type: 'run-started' });
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', text: 'completed' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'task-started', task: 'after' }));
  });

  test('interrupted command leaves the run active and says how to watch it again', async () => {
    const follower = follow('run', plan(6_000));
    await expect.poll(() => follower.stderr).toContain('s started');

    follower.child.kill('SIGINT');
    const code = await exitOf(follower);
    const watch = /^ {2}pml (watch \S+)/m.exec(follower.stderr)?.[1] ?? '';
    const watched = await workspace.run(...watch.split(' '));

    expect(code).toBe(4);
    expect(follower.stderr).toMatch(/Run run_\S+ goes on\./);
    expect(follower.stderr).toMatch(/pml continue run_\S+ abort/);
    expect(watched.code).toBe(0);
    expect(watched.stdout).toContain('run completed');
  });

  test('stopped daemon stays stopped; the run resumes with the next daemon', async () => {
    const follower = follow('run', plan(20_000));
    await expect.poll(() => follower.stderr).toContain('s started');

    await workspace.run('stop');
    const code = await exitOf(follower);
    const daemons = workspace.processes('daemon');
    const watched = await workspace.run('watch', 'latest');

    expect(code).toBe(4);
    expect(follower.stderr).toContain('goes on when the daemon, which was stopped, runs again');
    expect(daemons).toEqual([]);
    expect(watched.code).toBe(3);
    // An event if the watcher sees it happen, otherwise part of the run's question.
    expect(watched.stdout).toContain('its call was under way when the process ended');
    expect((await workspace.run('continue', 'latest', 'abort')).code).toBe(1);
  });

  test('watching command restarts a killed daemon, which asks about the interrupted call', async () => {
    const running = workspace.run('run', plan(4_000));
    await expect.poll(async () => (await newestRun())?.counts.running).toBe(1);

    killIfAlive(workspace.daemonPid());
    const asked = await running;
    const retry = /^pml (continue \S+ retry --task s) /m.exec(asked.stdout)?.[1] ?? '';
    const retried = await workspace.run(...retry.split(' '));

    expect(asked).toMatchObject({ code: 3 });
    expect(asked.stdout).toContain('task s may or may not have been carried out');
    expect(retried).toMatchObject({ code: 0 });
    expect(retried.stdout).toContain('slept well: slept');
    expect((await workspace.run('show', 'latest')).stdout).toMatch(/2 attempts[^]*user: retry s/);
  });
});

function follow(...args: string[]) {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  return workspace.spawn({
    command: [process.execPath, cli, ...args, '--config', workspace.configPath],
  });
}

async function exitOf({ child }: PmlClient): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function newestRun(): Promise<RunInfo | undefined> {
  const answer = await askDaemon(workspace.dataDir, 'runs', { limit: 1 });
  return (answer?.['runs'] as unknown as readonly RunInfo[] | undefined)?.[0];
}
