/** Collects the facts for `pml doctor`. Changes nothing, but may start and end a daemon. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Machine } from '../../clients/index.js';
import { chooseConfig, type ChosenConfig, describeIgnored } from '../../config/choose.js';
import { defaultDataDir } from '../../config/find.js';
import { loadConfig, type LoadedConfig } from '../../config/load.js';
import type { DaemonStatus, DaemonTools } from '../../control/index.js';
import { isAbsent, messageOf, PmlError } from '../../core/index.js';
import { describeSilence, lookAtSilentDaemon, socketPath } from '../../daemon/index.js';
import { isSameProcess, livingChildren, lockOwner, processIdentity } from '../../process/index.js';
import { askControl } from '../daemon/ask-control.js';
import type { LocateOptions } from '../daemon/locate.js';
import type { DaemonFacts, LivingChild, ServerCheck } from './daemon.js';
import type { DirectoryState, PortState } from './machine.js';
import type { ConfigState } from './setup.js';

const AT_THE_SAME_TIME = 4;
const END_TIMEOUT_MS = 20_000;

export interface Found {
  readonly found: ChosenConfig | undefined;
  readonly config: ConfigState;
  /** Undefined if the configuration that names it cannot be read. */
  readonly dataDir: string | undefined;
}

export async function lookForConfig(
  { config, dataDir }: LocateOptions,
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string } = here(),
): Promise<Found> {
  if (dataDir !== undefined) env['PML_DATA_DIR'] = dataDir;
  const named = env['PML_DATA_DIR'];
  let found: ChosenConfig | undefined;
  try {
    found = await chooseConfig({ cwd, env, explicit: config });
    const loaded = await loadConfig(found.path, env);
    const state = { status: 'loaded', config: loaded, ignored: describeIgnored(found) } as const;
    return { found, config: state, dataDir: loaded.dataDir };
  } catch (error) {
    const fallback = found && defaultDataDir(found.path, env);
    return { found, config: { status: 'unusable', error }, dataDir: named ?? fallback };
  }
}

function here() {
  return { env: process.env, cwd: process.cwd() };
}

export async function lookAtDirectory(path: string): Promise<DirectoryState> {
  try {
    const { mode, uid, ...entry } = await stat(path).then((stats) => ({
      mode: stats.mode,
      uid: stats.uid,
      isDirectory: stats.isDirectory(),
    }));
    if (!entry.isDirectory) return { status: 'no directory' };
    const isWindows = process.platform === 'win32';
    const isWritable = await access(path, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    return {
      status: 'present',
      mode: isWindows ? undefined : mode & 0o777,
      isOurs: isWindows || uid === process.getuid?.(),
      isWritable,
    };
  } catch (error) {
    if (isAbsent(error)) return { status: 'absent' };
    throw error;
  }
}

/** Free space where the directory is, or will be. */
export async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (isAbsent(error) && dirname(path) !== path) return freeBytes(dirname(path));
    throw error;
  }
}

export async function lookAtPort(
  { host, port }: { host: string; port: number },
  url: string | undefined,
): Promise<PortState> {
  if (url !== undefined) return { status: 'ours', url };
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: 'refused', reason: error.code ?? error.message }),
    );
    probe.listen(port, host, () => probe.close(() => resolve({ status: 'free' })));
  });
}

export async function lookAtDaemon(dataDir: string): Promise<DaemonFacts> {
  const path = socketPath(dataDir);
  let status: DaemonStatus | undefined;
  let refusal: string | undefined;
  let silence: DaemonFacts['silence'];
  try {
    status = await askControl(dataDir, 'status', {});
  } catch (error) {
    const isSilent = error instanceof PmlError && error.code === 'DAEMON_SILENT';
    if (isSilent) silence = describeSilence(await lookAtSilentDaemon(dataDir));
    else refusal = messageOf(error);
  }
  const mode = process.platform === 'win32' ? undefined : await modeOf(path);
  const lock = await lockOwner(join(dataDir, 'daemon.lock'));
  return { status, refusal, silence, lock, socket: { path, mode } };
}

export function lookForLeftovers(dataDir: string): readonly LivingChild[] {
  return livingChildren(join(dataDir, 'children'));
}

/** Starts every server and reads its lists, a few at a time. */
export async function checkServers(
  { dataDir, servers }: LoadedConfig,
  { before, say }: { before: DaemonStatus; say: (line: string) => void },
): Promise<readonly ServerCheck[]> {
  const waiting = [...servers.keys()];
  const checks: ServerCheck[] = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const wasRunning = before.servers.find((row) => row.name === name)?.state === 'running';
      checks.push(await checkServer(dataDir, name, wasRunning));
      say(`  ${checks.length} of ${servers.size}: ${name}`);
    }
  };
  await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, work));
  return checks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function checkServer(
  dataDir: string,
  name: string,
  wasRunning: boolean,
): Promise<ServerCheck> {
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  try {
    const status = await askControl(dataDir, 'refresh', { server: name });
    const ms = elapsed();
    const row = status?.servers.find((one) => one.name === name);
    const error = status ? {} : { error: 'the daemon ended meanwhile' };
    return { name, wasRunning, ms, row, ...error };
  } catch (error) {
    return { name, wasRunning, ms: elapsed(), row: undefined, error: messageOf(error) };
  }
}

export async function listTools(dataDir: string): Promise<DaemonTools | undefined> {
  return askControl(dataDir, 'tools', {});
}

export function thisMachine(): Machine {
  const { env, platform } = process;
  const home = env['HOME'] || env['USERPROFILE'] || '';
  return { home, cwd: process.cwd(), platform, env };
}

/** Ends a daemon that doctor started, unless a client connected meanwhile. */
export async function endDaemon(dataDir: string, pid: number): Promise<void> {
  const identity = processIdentity(pid);
  const answer = await askControl(dataDir, 'stop', { ifUnused: true });
  const deadline = performance.now() + END_TIMEOUT_MS;
  while (answer?.stopping && identity !== undefined && performance.now() < deadline) {
    if (!isSameProcess(pid, identity)) return;
    await delay(20);
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
