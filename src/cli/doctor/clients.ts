/** Finds out how clients start PML and what comes of it, for `pml doctor` to judge. */
import { parseArgs } from 'node:util';

import {
  CLIENTS,
  findPml,
  type Launch,
  type Machine,
  readClientFiles,
} from '../../clients/index.js';
import { askControl } from '../daemon/ask-control.js';
import { clientEnvironment } from '../init/client-environment.js';
import type { TriedLaunch } from './launch.js';
import { endDaemon, lookForConfig } from './look.js';
import { judgeNode } from './machine.js';
import type { ClientFacts } from './setup.js';
import { type LaunchSurroundings, tryLaunch } from './try-launch.js';

export async function lookAtClients(
  machine: Machine,
  { httpPort, say }: { readonly httpPort: number; readonly say: (line: string) => void },
): Promise<ClientFacts> {
  const files = await readClientFiles(CLIENTS, machine);
  const launches: TriedLaunch[] = [];
  // Not those of a project: it may have come with the directory, and could start anything.
  for (const read of files.filter(({ file }) => file.scope === 'user')) {
    const { client, path } = read.file;
    for (const launch of findPml(read)) {
      say(`Starting PML as ${client} does …`);
      const around = surroundingsOf(read.file.client, machine);
      launches.push({ client, path, outcome: await tryAndTidy(launch, around) });
    }
  }
  return { files, machine, launches, httpPort };
}

/** A client of the terminal works in the folder it was started in; the others have none of ours. */
function surroundingsOf(client: TriedLaunch['client'], machine: Machine): LaunchSurroundings {
  return {
    env: clientEnvironment(client, machine),
    cwd: client === 'claude-code' ? machine.cwd : machine.home,
    isOldNode: (version) => judgeNode(version).level !== 'ok',
  };
}

/** A daemon that was started for this alone is ended again. */
async function tryAndTidy(launch: Launch, around: LaunchSurroundings) {
  const dataDir = await dataDirOf(launch, around);
  const before = dataDir === undefined ? undefined : await pidOf(dataDir);
  const outcome = await tryLaunch(launch, around);
  const after = dataDir === undefined ? undefined : await pidOf(dataDir);
  if (dataDir !== undefined && after !== undefined && before === undefined) {
    await endDaemon(dataDir, after);
  }
  return outcome;
}

async function dataDirOf(
  { args, env: own = {} }: Launch,
  { env, cwd }: LaunchSurroundings,
): Promise<string | undefined> {
  const { values } = parseArgs({
    args: [...args],
    options: { config: { type: 'string' }, 'data-dir': { type: 'string' } },
    allowPositionals: true,
    strict: false,
  });
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const flags = { config: text(values['config']), dataDir: text(values['data-dir']) };
  return (await lookForConfig(flags, { env: { ...env, ...own }, cwd })).dataDir;
}

/** Undefined also for a daemon that does not answer: what the client starts says so. */
async function pidOf(dataDir: string): Promise<number | undefined> {
  try {
    return (await askControl(dataDir, 'status', {}))?.pid;
  } catch {
    return undefined;
  }
}
