/**
 * Every way to start a run. Each round kills the daemon when a server has received one of its
 * calls. The disk is so slow that the journal lags behind any code that does not wait for it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { RunInfo } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { type Counter, createCounter } from './counter.js';
import type { PmlClient } from './pml-client.js';
import { bringToEnd } from './script-round.js';
import { installWriters } from './writers.js';

/** Starts the run that writes the keys, and settles when its starter gets an answer. */
type Start = (counter: Counter, client: PmlClient, keys: readonly string[]) => Promise<unknown>;

const planned = (args: object): Start => {
  return (_counter, client) => client.call('pml_execute_workflow', { ...args });
};
const coded = (code: string): Start => {
  return (_counter, client, keys) => client.call('pml_execute_code', { code, args: { keys } });
};
const task = (tool: string, args: object) => ({ tool, args });

export const STARTS: Readonly<Record<string, Start>> = {
  'one task': (counter, client, [key]) =>
    planned({ tasks: [task('one:append', { key })] })(counter, client, []),
  'several tasks': (counter, client, keys) => {
    const tasks = keys.map((key, at) => ({
      id: `t${at}`,
      ...task('one:append', { key }),
      ...(at > 0 && { needs: [`t${at - 1}`] }),
    }));
    return planned({ tasks })(counter, client, keys);
  },
  'a capability alone': (counter, client, keys) =>
    planned({ capability: 'writeInTurn', args: { keys, ms: 0 } })(counter, client, keys),
  'a capability of capabilities alone': (counter, client, keys) =>
    planned({ capability: 'writeBoth', args: { keys, ms: 0 } })(counter, client, keys),
  'a capability as the only task': (counter, client, keys) =>
    planned({ tasks: [task('cap:writeInTurn', { keys, ms: 0 })] })(counter, client, keys),
  'a capability as a tool': (_counter, client, keys) =>
    client.call('cap__writeInTurn', { keys, ms: 0 }),
  'a script': coded(
    `for (const key of args.keys) await mcp.one.append({ key });
    return 'done'`,
  ),
  'a script of capabilities': coded(`return cap.writeBoth({ keys: args.keys, ms: 0 })`),
  'pml run': ({ workspace }, _client, keys) => {
    const file = join(workspace.path, 'plan.json');
    writeFileSync(file, JSON.stringify([task('cap:writeBoth', { keys, ms: 0 })]));
    return workspace.run('run', file);
  },
  'pml capabilities run': ({ workspace }, _client, keys) => {
    const args = JSON.stringify({ keys, ms: 0 });
    return workspace.run('capabilities', 'run', 'writeInTurn', '--args', args);
  },
};

const SLOW_SYNC = fileURLToPath(new URL('../fixtures/slow-sync.mjs', import.meta.url));
const SYNC_MS = 50;
const KEYS = 3;

interface StartReport {
  readonly doubts: number;
  readonly faults: readonly string[];
}

/** Kills each start at its second call: the caller may have waited for the first one. */
export async function playStarts(names: readonly string[]): Promise<readonly StartReport[]> {
  const variables = {
    NODE_OPTIONS: `--import=${SLOW_SYNC}`,
    SLOW_SYNC_MS: String(SYNC_MS),
  };
  await using counter = await createCounter({ exposure: { capabilities: ['*'] } }, { variables });
  const client = await counter.workspace.connect();
  await client.request('ping');
  await installWriters(counter);
  const reports: StartReport[] = [];
  for (const name of names) reports.push(await playStart(counter, client, name));
  return reports;
}

async function playStart(counter: Counter, client: PmlClient, name: string): Promise<StartReport> {
  const before = new Set(await runIds(counter));
  const all = Array.from({ length: KEYS }, (_, at) => `key ${at} of ${name}`);
  const keys = name === 'one task' ? all.slice(0, 1) : all;
  counter.strikeAt(keys[1] ?? keys[0] ?? '');
  await STARTS[name]?.(counter, client, keys);
  await client.request('ping');
  const [run, ...others] = (await runIds(counter)).filter((id) => !before.has(id));
  const faults = others.length > 0 ? [`${others.length + 1} runs`] : [];
  let doubts = 0;
  if (run) {
    const round = { keys: keys.map((key) => ({ key, isRepeatable: false })) };
    const ended = await bringToEnd(counter, client, { round, run, faults });
    if (ended.told.status !== 'completed') faults.push(`ended as ${ended.told.status}`);
    ({ doubts } = ended);
  } else faults.push('there is no run');
  for (const key of keys) {
    const times = counter.timesOf(key);
    if (times !== 1) faults.push(`${key} was written ${times} times`);
  }
  return { doubts, faults: faults.map((fault) => `${name}: ${fault}`) };
}

async function runIds({ workspace }: Counter): Promise<readonly string[]> {
  const answer = await askDaemon(workspace.dataDir, 'runs', { limit: 1_000 });
  return ((answer?.['runs'] ?? []) as unknown as readonly RunInfo[]).map(({ run }) => run);
}
