/** Starts what a client would start, greets it as a client does, and ends it again. */
import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import spawn from 'cross-spawn';

import { VERSION } from '../../app/version.js';
import { isFromRegistry, type Launch, programOf } from '../../clients/index.js';
import { messageOf } from '../../core/errors.js';
import type { JsonObject } from '../../core/index.js';

/** About as long as clients wait for a server. */
const PATIENCE_MS = 30_000;
const MOST_OUTPUT = 4_000;

/** The outcome of the start. */
export type LaunchOutcome =
  | { readonly kind: 'answered'; readonly name: string; readonly ms: number }
  /** Not started: the package registry would decide which code runs. */
  | { readonly kind: 'from-registry' }
  /** Not started: only the client can fill the variables in. */
  | { readonly kind: 'has-variables' }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'not-found'; readonly command: string; readonly searched: string }
  | { readonly kind: 'old-node'; readonly version: string }
  | { readonly kind: 'ended'; readonly code: number | null; readonly said: string }
  | { readonly kind: 'silent'; readonly ms: number; readonly said: string };

export interface LaunchSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What is wrong with a version of Node, if anything. */
  readonly isOldNode: (version: string) => boolean;
}

export async function tryLaunch(
  launch: Launch,
  around: LaunchSurroundings,
): Promise<LaunchOutcome> {
  const { command, args } = launch;
  if (isFromRegistry(launch)) return { kind: 'from-registry' };
  if ([command, ...args].some((part) => part.includes('${'))) return { kind: 'has-variables' };
  const [script = ''] = args;
  const isScript = programOf(command) === 'node' && isAbsolute(script);
  const missing = [command, ...(isScript ? [script] : [])].find(
    (path) => isAbsolute(path) && !existsSync(path),
  );
  if (missing !== undefined) return { kind: 'missing', path: missing };
  if (programOf(command) === 'node') {
    const version = await nodeVersion(command, around);
    if (version !== undefined && around.isOldNode(version)) return { kind: 'old-node', version };
  }
  return greet(launch, around);
}

/** Undefined if it cannot be started; the start itself shows why. */
async function nodeVersion(
  command: string,
  { env, cwd }: LaunchSurroundings,
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { env, cwd });
    return stdout.trim().replace(/^v/, '');
  } catch {
    return undefined;
  }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'pml-doctor', version: VERSION },
  },
};

async function greet(
  { command, args, env: own = {} }: Launch,
  { env, cwd }: LaunchSurroundings,
): Promise<LaunchOutcome> {
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  const child = spawn(command, [...args], { env: { ...env, ...own }, cwd, stdio: 'pipe' });
  let said = '';
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (said = (said + chunk.toString()).slice(-MOST_OUTPUT)),
  );
  child.stdin?.on('error', () => {}); // The process ended; `close` reports it.
  try {
    return await new Promise<LaunchOutcome>((resolve) => {
      const searched = env['PATH'] ?? '';
      child.once('error', (error: NodeJS.ErrnoException) =>
        resolve(
          error.code === 'ENOENT'
            ? { kind: 'not-found', command, searched }
            : { kind: 'ended', code: null, said: messageOf(error) },
        ),
      );
      child.once('close', (code) => resolve({ kind: 'ended', code, said }));
      setTimeout(() => resolve({ kind: 'silent', ms: elapsed(), said }), PATIENCE_MS).unref();
      onAnswer(child, (name) => resolve({ kind: 'answered', name, ms: elapsed() }));
      child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
    });
  } finally {
    await end(child);
  }
}

function onAnswer(child: ChildProcess, answered: (name: string) => void): void {
  if (!child.stdout) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const name = serverName(line);
    if (name !== undefined) answered(name);
  });
}

/** The name the server reports; undefined for any other line. */
function serverName(line: string): string | undefined {
  try {
    const { id, result } = JSON.parse(line) as { id?: unknown; result?: JsonObject };
    if (id !== 1 || result === undefined) return undefined;
    const info = result['serverInfo'] as { name?: unknown } | undefined;
    return typeof info?.name === 'string' ? info.name : '';
  } catch {
    return undefined; // Not the protocol: a client would not read it either.
  }
}

/** Disconnects like a client, then kills the process if needed. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin?.end();
  const stages = [
    setTimeout(() => child.kill(), 2_000),
    setTimeout(() => child.kill('SIGKILL'), 4_000),
  ];
  await gone;
  for (const stage of stages) clearTimeout(stage);
}
