/** Scripts whose daemon is killed at any moment of their life, over real processes. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { decideScript, runCode } from '../helpers/code-client.js';
import { createCounter } from '../helpers/counter.js';
import { playScripts, type ScriptReport, type ScriptRound } from '../helpers/script-round.js';
import { seeded } from '../helpers/seeded.js';
import { below, playEverywhere, type Random, sumOf } from '../helpers/strike.js';
import { killIfAlive } from '../helpers/workspace.js';

const SEED = 20_261_117;
const WORKSPACES = 3;
const ROUNDS = 10;

// covers: CODE-DURABLE
test(
  'script makes every call once whenever the daemon is killed, and reports calls in doubt',
  { timeout: 600_000 },
  async () => {
    const random = seeded(SEED);
    const plans = Array.from({ length: WORKSPACES }, (_, place) =>
      Array.from({ length: ROUNDS }, (_one, at) =>
        planRound(
          `w${place}r${at}`,
          { at, shape: SHAPES[(place * ROUNDS + at) % SHAPES.length] },
          random,
        ),
      ),
    );

    const reports = await playEverywhere(plans, playScripts);

    const sum = (of: (report: ScriptReport) => number) => sumOf(reports, of);
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
    // Guards against a test that kills at moments when nothing can go wrong.
    expect(sum(({ kills }) => kills)).toBeGreaterThanOrEqual(40);
    expect(
      sum(({ doubts }) => doubts),
      'no call was in doubt',
    ).toBeGreaterThan(2);
    expect(sum(({ end }) => Number(end === 'completed'))).toBeGreaterThan(15);
  },
);

const TIMES = `
  let tried = 'nothing';
  try { await mcp.one.append({ key: 7 }) } catch (error) { tried = error.code }
  const stamp = (name) => name + '-' + Date.now() + '-' + Math.random().toString(36).slice(2);
  const keys = [];
  for (const name of ['a', 'b', 'c']) keys.push((await mcp.one.append({ key: stamp(name) })).key);
  await Promise.all(['d', 'e'].map((name) => mcp.two.append({ key: stamp(name), afterMs: 5 })));
  await mcp.one.delete_all({ key: stamp('gone') });
  keys.push((await mcp.one.append({ key: stamp('last') })).key);
  return { tried, keys, at: new Date().toISOString() }`;

test('script sees the same time and random values after a kill and a refused call [CODE-SAME-AGAIN]', async () => {
  await using counter = await createCounter();
  const { workspace } = counter;
  const client = await workspace.connect();
  const asked = await runCode(client, TIMES);
  const [question] = asked.asks ?? [];
  const before = counter.written();

  killIfAlive(workspace.daemonPid());
  await delay(20);
  const again = await decideScript(client, asked.run, 'wait');
  const told = await decideScript(client, asked.run, 'approve');

  expect(before.map((key) => key[0])).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd', 'e']));
  expect(again.asks).toEqual([question]);
  expect(told).toMatchObject({ status: 'completed', result: { tried: 'ARGUMENTS_INVALID' } });
  const after = counter.written();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length)).toEqual([
    question?.args['key'],
    expect.stringMatching(/^last-/),
  ]);
});

test('script evicted while it waits resumes on approval and repeats no call', async () => {
  await using counter = await createCounter({ code: { awakeMs: 0 } });
  const { workspace } = counter;
  const client = await workspace.connect();
  const asked = await runCode(client, TIMES);
  const before = counter.written();
  await delay(300);

  // No process holds the script any more: a script in memory would end with this.
  for (const { pid } of workspace.processes('server')) killIfAlive(pid);
  const told = await decideScript(client, asked.run, 'approve');

  expect(asked.status).toBe('needs_approval');
  expect(told.error).toBeUndefined();
  expect(told.status).toBe('completed');
  expect(counter.written().slice(0, before.length)).toEqual(before);
  expect(counter.written()).toHaveLength(before.length + 2);
});

test('script that diverges from its journal on replay ends and calls nothing', async () => {
  await using counter = await createCounter({ permissions: { deny: ['one:append'] } });
  const { workspace } = counter;
  const client = await workspace.connect();
  const asked = await runCode(
    client,
    `const tool = ['app', 'end'].join('');
    try { await mcp.one[tool]({ key: 'first choice' }) }
    catch { await mcp.two[tool]({ key: 'second choice' }) }
    await mcp.two.delete_all({ key: 'gone' });`,
  );
  expect(asked.status).toBe('needs_approval');

  killIfAlive(workspace.daemonPid());
  const config = JSON.parse(readFileSync(workspace.configPath, 'utf8')) as object;
  workspace.configure({ ...config, permissions: {} });
  const told = await decideScript(client, asked.run, 'wait');

  expect(told).toMatchObject({ status: 'failed', error: { code: 'REPLAY_DIVERGED' } });
  expect(told.error?.message).toContain('two:append {"key":"second choice"}');
  expect(counter.written()).toEqual(['second choice']);
});

/** Every fourth round also kills servers and sandbox; two of five rounds kill twice. */
function planRound(
  intent: string,
  { at, shape = 'loop' }: { readonly at: number; readonly shape: Shape | undefined },
  random: Random,
): ScriptRound {
  const count = 3 + below(random, 4);
  const names = Array.from({ length: count }, (_, place) => `${intent}k${place}`);
  const { work, result, last } = SCRIPTS[shape](names, { ms: below(random, 25), intent });
  const isRepeatable = shape === 'repeatable';
  const keys = names.map((key) => ({ key, isRepeatable }));
  return {
    intent,
    work,
    keys: [...keys, ...last.map((key) => ({ key, isRepeatable: false }))],
    result: result ?? { names, last: last.length },
    kill: momentOf(count, at, random),
    killsServers: at % 4 === 1,
    ...(at % 5 > 2 && { againMs: below(random, 300) }),
  };
}

/** Some kills come before the first call, some after the last, most in between. */
function momentOf(count: number, at: number, random: Random): ScriptRound['kill'] {
  if (at % 6 === 0) return { written: 0, afterMs: below(random, 40) };
  if (at % 6 === 1) return { written: count, afterMs: below(random, 40) };
  return { written: below(random, count), afterMs: below(random, 25) };
}

interface Made {
  readonly work: ScriptRound['work'];
  /** For results other than the keys and the count of the last calls. */
  readonly result?: unknown;
  /** Keys that the script writes after all others. */
  readonly last: readonly string[];
}

const SHAPES = [
  'loop',
  'capabilities in turn',
  'together',
  'capabilities together',
  'waves',
  'capability in a capability',
  'risky',
  'repeatable',
  'capability in a plan',
  'racing',
  'risky after capabilities',
] as const;
type Shape = (typeof SHAPES)[number];

const SCRIPTS: Readonly<
  Record<
    Shape,
    (names: readonly string[], options: { readonly ms: number; readonly intent: string }) => Made
  >
> = {
  loop: (names, { ms }) => ({
    work: {
      code: `
      const names = [];
      for (const key of ${JSON.stringify(names)}) {
        const { key: wrote } = await mcp.one.append({ key, beforeMs: ${ms} });
        names.push(wrote);
      }
      return { names, last: 0 }`,
    },
    last: [],
  }),
  together: (names, { ms, intent }) => ({
    work: {
      code: `
      const all = await Promise.all(
        ${JSON.stringify(names)}.map((key, i) => mcp[i % 2 ? 'one' : 'two'].append({ key, beforeMs: i * ${ms}, afterMs: ${ms} })),
      );
      const names = all.map(({ key }) => key);
      await mcp.one.append({ key: '${intent}end', after: names });
      return { names, last: 1 }`,
    },
    last: [`${intent}end`],
  }),
  waves: (names, { ms, intent }) => ({
    work: {
      code: `
      const keys = ${JSON.stringify(names)}, names = [];
      for (let at = 0; at < keys.length; at += 2) {
        const wave = await Promise.all(keys.slice(at, at + 2).map((key) => mcp.two.append({ key, beforeMs: Math.floor(Math.random() * ${ms}) })));
        names.push(...wave.map(({ key }) => key));
      }
      await mcp.two.append({ key: '${intent}end', after: Date.now() });
      return { names, last: 1 }`,
    },
    last: [`${intent}end`],
  }),
  risky: (names, { ms, intent }) => ({
    work: {
      code: `
      const names = [];
      for (const key of ${JSON.stringify(names)}) names.push((await mcp.two.append({ key, afterMs: ${ms} })).key);
      await mcp.one.delete_all({ key: '${intent}gone' });
      return { names, last: 1 }`,
    },
    last: [`${intent}gone`],
  }),
  repeatable: (names, { ms }) => ({
    work: {
      code: `
      const all = await Promise.all(${JSON.stringify(names)}.map((key) => mcp.one.append_idempotent({ key, afterMs: ${ms} })));
      return { names: all.map(({ key }) => key), last: 0 }`,
    },
    last: [],
  }),
  racing: (names, { ms, intent }) => ({
    work: {
      code: `
      const keys = ${JSON.stringify(names)}, order = [];
      const calls = keys.map((key, i) => mcp.one.append({ key, beforeMs: (keys.length - i) * ${ms} }).then(() => order.push(key)));
      await Promise.race(calls);
      await mcp.two.append({ key: '${intent}won', after: order[0] });
      await Promise.all(calls);
      try { await mcp.one.append({}) } catch (error) { order.push(error.code) }
      return { names: keys, last: order.includes('ARGUMENTS_INVALID') ? 1 : 0 }`,
    },
    last: [`${intent}won`],
  }),
  'capabilities in turn': (names, { ms, intent }) => ({
    work: {
      code: `
      const names = [];
      for (const key of ${JSON.stringify(names)}) names.push(...(await cap.writeInTurn({ keys: [key], ms: ${ms} })));
      await mcp.one.append({ key: '${intent}end', after: Date.now() });
      return { names, last: 1 }`,
    },
    last: [`${intent}end`],
  }),
  'capabilities together': (names, { ms }) => ({
    work: {
      code: `
      const keys = ${JSON.stringify(names)};
      const [some, others] = await Promise.all([
        cap.writeInTurn({ keys: keys.slice(0, 2), ms: ${ms} }),
        cap.writeTogether({ keys: keys.slice(2), ms: ${ms} }),
      ]);
      return { names: [...some, ...others], last: 0 }`,
    },
    last: [],
  }),
  'capability in a capability': (names, { ms }) => ({
    work: {
      code: `
      const [last, ...keys] = ${JSON.stringify(names)}.reverse();
      const both = await cap.writeBoth({ keys: keys.reverse(), ms: ${ms} });
      const [end] = await cap.writeInTurn({ keys: [last], ms: ${ms} });
      return { names: [...both, end], last: 0 }`,
    },
    last: [],
  }),
  'capability in a plan': (names, { ms, intent }) => ({
    work: {
      tasks: [
        { id: 'a', tool: 'cap:writeBoth', args: { keys: names, ms } },
        { id: 'c4', tool: 'one:append', args: { key: `${intent}end`, after: { $ref: 'a' } } },
      ],
    },
    result: names,
    last: [`${intent}end`],
  }),
  'risky after capabilities': (names, { ms, intent }) => ({
    work: {
      code: `
      const names = await cap.writeBoth({ keys: ${JSON.stringify(names)}, ms: ${ms} });
      await mcp.one.delete_all({ key: '${intent}gone' });
      return { names, last: 1 }`,
    },
    last: [`${intent}gone`],
  }),
};
