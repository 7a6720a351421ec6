/** Judges what the machine offers. Pure: `look.ts` finds out the facts. */
import { fail, type Finding, ok, warn } from './finding.js';

const LEAST_NODE = [20, 19] as const;
/** A fresh data directory takes about 45 MB, its snapshots and damaged copies a few times that. */
const LEAST_FREE_BYTES = 200_000_000;
const COMFORTABLE_FREE_BYTES = 1_000_000_000;

export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  if (isEnough) return ok('node', version);
  const least = LEAST_NODE.join('.');
  return fail('node', `${version} is too old`, `Install Node ${least} or newer.`);
}

export type DirectoryState =
  | { readonly status: 'absent' }
  | { readonly status: 'no directory' }
  | {
      readonly status: 'present';
      /** Permission bits; undefined where the system has none. */
      readonly mode: number | undefined;
      readonly isOurs: boolean;
      readonly isWritable: boolean;
    };

export function judgeDataDir(path: string, state: DirectoryState): Finding {
  const what = 'data';
  if (state.status === 'absent') return ok(what, `${path} (made at the first start)`);
  if (state.status === 'no directory') {
    return fail(what, `${path} is not a directory`, 'Move the file away or set "dataDir".');
  }
  const { mode, isOurs, isWritable } = state;
  if (!isWritable) {
    return fail(what, `${path} cannot be written`, 'Make it yours, or set "dataDir" to another.');
  }
  if (!isOurs) {
    return fail(what, `${path} belongs to another user`, 'Set "dataDir" to a directory of yours.');
  }
  if (mode !== undefined && (mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8);
    return warn(what, `${path} is open to others (mode ${shown})`, `chmod 700 ${path}`);
  }
  return ok(what, path);
}

export function judgeDisk(freeBytes: number): Finding {
  const shown = `${megabytes(freeBytes)} free`;
  if (freeBytes < LEAST_FREE_BYTES) {
    return fail('disk', shown, 'Free some space: the store cannot write without.');
  }
  if (freeBytes < COMFORTABLE_FREE_BYTES) {
    return warn('disk', shown, 'Free some space before the store needs it.');
  }
  return ok('disk', shown);
}

/** Open files the daemon itself needs, and files each server adds. */
const OWN_FILES = 160;
const FILES_PER_SERVER = 5;

/** Undefined if the limit of open files is unknown or high enough. */
export function judgeFiles(limit: number | undefined, servers: number): Finding | undefined {
  const needed = OWN_FILES + FILES_PER_SERVER * servers;
  if (limit === undefined || limit >= needed) return undefined;
  const many = servers === 1 ? 'one server' : `${servers} servers`;
  return warn(
    'files',
    `${limit} may be open at once; with ${many} running PML wants ${needed}`,
    'Raise the limit (ulimit -n 4096, or LimitNOFILE of the service) and run pml restart.',
  );
}

export type PortState =
  | { readonly status: 'ours'; readonly url: string }
  | { readonly status: 'free' }
  | { readonly status: 'refused'; readonly reason: string };

/** HTTP is optional, so a taken port is no failure. */
export function judgePort(address: string, state: PortState): Finding {
  if (state.status === 'ours') return ok('http', `serving at ${state.url}`);
  if (state.status === 'free') return ok('http', `${address} is free; not serving`);
  const what = state.reason === 'EADDRINUSE' ? 'is taken' : `cannot be used: ${state.reason}`;
  const fix = 'Set "http": {"port": …}, or use pml serve --http --port; stdio is not affected.';
  return warn('http', `${address} ${what}`, fix);
}

export function judgeHttpAccess(token: string | false | undefined): Finding {
  if (token !== false) return ok('http access', 'clients need a bearer token');
  return warn(
    'http access',
    'http.token is false: while pml serve --http runs, every program on this machine can use your tools',
    'Remove http.token from the configuration; PML then makes a token.',
  );
}

export function megabytes(bytes: number): string {
  const mega = bytes / 1_000_000;
  return mega >= 10_000 ? `${Math.round(mega / 1000)} GB` : `${Math.round(mega)} MB`;
}
