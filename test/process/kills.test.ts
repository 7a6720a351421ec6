import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Answer, PmlClient } from '../helpers/pml-client.js';
import { fixtureServer, killIfAlive, Workspace } from '../helpers/workspace.js';

const KILLS = 30;
const CALLS = 8;
const SEED = 20_261_115;

test(
  'thirty kills at any point: no call is left without an answer, nothing is done twice or lost',
  { timeout: 400_000 },
  async () => {
    await using workspace = await Workspace.create('{}');
    const ledger = join(workspace.path, 'ledger');
    const server = () => fixtureServer('plain-server.mjs', { LEDGER: ledger });
    workspace.configure({ mcpServers: { one: server(), two: server() } });
    const random = mulberry32(SEED);
    const pick = (count: number) => Math.floor(random() * count);
    const clients = await Promise.all([workspace.connect(), workspace.connect()]);
    const done: string[] = [];

    for (let kill = 0; kill < KILLS; kill++) {
      const victim = pick(clients.length);
      const killed = VICTIMS[kill % VICTIMS.length];
      const client = clients[victim] as PmlClient;
      const calls = Array.from({ length: CALLS }, (_, i) => {
        const key = `${kill}-${i}`;
        return { key, answer: client.call(`${pick(2) ? 'one' : 'two'}__effect`, { key }) };
      });
      const isStruck = await settled(
        calls.map(({ answer }) => answer),
        pick(CALLS + 1),
      );
      expect(isStruck).toBe(true);
      if (killed === 'daemon') killIfAlive(workspace.daemonPid());
      else if (killed === 'relay') killIfAlive(client.child.pid);
      else {
        const servers = workspace.processes('server');
        killIfAlive(servers[pick(servers.length)]?.pid);
      }

      for (const { key, answer } of calls) {
        const { result } = await answer;
        if (result && !result['isError']) done.push(key);
      }
      if (killed === 'relay') clients[victim] = await workspace.connect();
      // A question that may be repeated, so it also waits until the death is known.
      await Promise.all(clients.map((one) => one.request('ping')));
      for (const one of clients) {
        expect(await one.text('one__echo', { text: `${kill}` })).toBe(`${kill}`);
        expect(await one.text('two__echo', { text: `${kill}` })).toBe(`${kill}`);
      }
    }

    const written = existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : [];
    expect(written).toHaveLength(new Set(written).size);
    expect(written).toEqual(expect.arrayContaining(done));
    expect(done.length).toBeGreaterThan(KILLS);
    const status = await workspace.status();
    expect(status.store).toMatchObject({ engine: expect.any(String) as string });
    expect(status.store).not.toHaveProperty('error');
    await expect.poll(() => workspace.processes('daemon')).toHaveLength(1);
    expect(workspace.processes('server')).toHaveLength(2);
    expect(workspace.log).not.toMatch(/ERROR (uncaught|unhandled)/);
  },
);

const VICTIMS = ['server', 'daemon', 'server', 'relay'] as const;

/** True once `count` of the answers are there. */
async function settled(answers: readonly Promise<Answer>[], count: number): Promise<boolean> {
  let have = 0;
  return new Promise((resolve) => {
    if (count === 0) resolve(true);
    for (const answer of answers) {
      void answer.then(() => {
        if (++have >= count) resolve(true);
      });
    }
  });
}

/** Small seeded generator: the same kills at the same points in every run. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
