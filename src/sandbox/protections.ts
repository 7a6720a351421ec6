import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import type { GuestCode } from './guest-code.js';

/** How a sandbox process is started, and what holds it besides its engine. */
export interface SandboxLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly protections: Protections;
}

export interface Protections {
  /** Node's own: no files but its code, no processes, no threads, no add-ons. */
  readonly nodePermissions: boolean;
  /** Whether they cover the network; older versions of Node do not. */
  readonly nodeNetwork: boolean;
  /** The kernel's, by bubblewrap: no network, no files, no sight of other processes. */
  readonly bubblewrap: boolean;
  /** Why there is no bubblewrap. */
  readonly withoutBubblewrap?: string;
}

/** V8's part of a process; scripts live in the engine's memory, which has its own limit. */
const HEAP_MIB = 512;
/** The engine's recursion lies on V8's stack, which is to outlast it. Of the 8 MiB that are usual. */
const STACK_KIB = 3_900;
const PROBE_MS = 10_000;

/** Finds out what this machine has, by trying. */
export async function planLaunch(
  code: GuestCode,
  { bubblewrap = true }: { readonly bubblewrap?: boolean } = {},
): Promise<SandboxLaunch> {
  const permissions = permissionFlags(code);
  const node = [...engineFlags(), ...permissions, code.entry, code.engineUrl, ...code.binaries];
  const plain = { command: process.execPath, args: node };
  const nodePermissions = permissions.length > 0;
  const nodeNetwork = nodePermissions && process.allowedNodeEnvironmentFlags.has('--allow-net');
  const found = bubblewrap ? await probeBubblewrap(code) : { why: 'it is switched off' };
  if ('why' in found)
    return {
      ...plain,
      protections: {
        nodePermissions,
        nodeNetwork,
        bubblewrap: false,
        withoutBubblewrap: found.why,
      },
    };
  return {
    command: found.command,
    args: [...found.args, process.execPath, ...node],
    protections: { nodePermissions, nodeNetwork, bubblewrap: true },
  };
}

function engineFlags(): readonly string[] {
  const isOld = Number(process.versions.node.split('.')[0]) < 21;
  return [
    `--max-old-space-size=${HEAP_MIB}`,
    `--stack-size=${STACK_KIB}`,
    '--no-warnings',
    // The engine's extensions need it; later versions of V8 have it without asking.
    ...(isOld ? ['--experimental-wasm-extended-const'] : []),
  ];
}

function permissionFlags({ folders }: GuestCode): readonly string[] {
  const known = process.allowedNodeEnvironmentFlags;
  const flag = ['--permission', '--experimental-permission'].find((one) => known.has(one));
  if (flag === undefined) return [];
  return [flag, ...folders.map((folder) => `--allow-fs-read=${join(folder, '*')}`)];
}

type Bubblewrap =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly why: string };

async function probeBubblewrap({ folders }: GuestCode): Promise<Bubblewrap> {
  if (process.platform !== 'linux') return { why: 'there is none for this system' };
  const command = findProgram('bwrap');
  if (command === undefined) return { why: 'bwrap is not installed' };
  const args = bubblewrapArgs([realpathSync(process.execPath), process.execPath, ...folders]);
  try {
    await promisify(execFile)(command, [...args, process.execPath, '--version'], {
      env: {},
      timeout: PROBE_MS,
    });
    return { command, args };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    return { why: stderr.trim().split('\n')[0] || 'it did not start' };
  }
}

/** Read-only: the system's libraries, Node, and the code. Everything else is not there. */
function bubblewrapArgs(paths: readonly string[]): readonly string[] {
  const system = ['/usr/lib', '/usr/lib64', '/usr/lib32', '/lib', '/lib64', '/etc/ld.so.cache'];
  const flags =
    '--unshare-all --die-with-parent --new-session --clearenv --as-pid-1 --cap-drop ALL ' +
    '--hostname sandbox --proc /proc --dev /dev --chdir /';
  return [
    ...flags.split(' '),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...[...new Set(paths)].flatMap((path) => ['--ro-bind', path, path]),
  ];
}

function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
