/** Judges daemon, servers and store. Pure: `look.ts` finds out the facts. */
import type {
  DaemonStatus,
  FailingOperation,
  ListedTool,
  ServerRow,
  StoreStatus,
} from '../../control/index.js';
import type { RepairReport } from '../../store/index.js';
import { type BuildName, describeOtherBuild, nameOf } from '../daemon/other-build.js';
import { localTime } from '../print/format-time.js';
import { fail, type Finding, ok, warn } from './finding.js';
import { megabytes } from './machine.js';

/** A list answer that takes longer than this keeps an agent waiting. */
const SLOW_MS = 10_000;
const MAX_NAMED = 5;

export interface DaemonFacts {
  readonly status: DaemonStatus | undefined;
  /** A program answered on the socket, but not like a PML daemon. */
  readonly refusal: string | undefined;
  /** The daemon accepts connections but does not answer. */
  readonly silence?: { readonly message: string; readonly fix: string } | undefined;
  readonly lock: { readonly pid: number; readonly isAlive: boolean } | undefined;
  readonly socket: { readonly path: string; readonly mode: number | undefined };
}

export interface OwnSide extends BuildName {
  readonly config: string;
}

export function judgeDaemon(facts: DaemonFacts, own: OwnSide): Finding {
  const { status, refusal, silence, lock, socket } = facts;
  const what = 'daemon';
  if (silence) return fail(what, silence.message, silence.fix);
  if (refusal !== undefined) {
    return fail(what, refusal, 'End it (pml stop of its version, or kill its process).');
  }
  if (!status && lock?.isAlive) {
    const message = `pid ${lock.pid} holds the data directory and does not answer`;
    return fail(what, message, `kill ${lock.pid}; the next start takes over.`);
  }
  if (!status && lock) {
    const message = `not running; the last one (pid ${lock.pid}) left its lock behind`;
    return warn(what, message, 'Nothing to do: the next start replaces it.');
  }
  if (!status) return ok(what, 'not running; it starts with the first client');
  if (status.config !== own.config) {
    const message = `pid ${status.pid} uses ${status.config}, not ${own.config}`;
    return fail(what, message, 'Run pml stop, or give one of them a "dataDir" of its own.');
  }
  if (socket.mode !== undefined && (socket.mode & 0o077) !== 0) {
    const message = `others may connect to ${socket.path}`;
    return fail(what, message, `chmod 600 ${socket.path}`);
  }
  const otherBuild = describeOtherBuild(status, own);
  if (otherBuild !== undefined) {
    const message = `pid ${status.pid} is ${nameOf(status)}, this command is ${nameOf(own)}`;
    return warn(what, message, 'Run pml restart; connected clients stay connected.');
  }
  return ok(what, `pid ${status.pid}, version ${nameOf(status)}, socket ${socket.path}`);
}

export interface ServerCheck {
  readonly name: string;
  readonly wasRunning: boolean;
  readonly ms: number;
  readonly row: ServerRow | undefined;
  readonly error?: string;
}

export function judgeServer({ name, wasRunning, ms, row, error }: ServerCheck): Finding {
  const what = `server ${name}`;
  const fix =
    row && row.kind !== 'stdio'
      ? 'Is the address right, and does the server run and accept the headers?'
      : `pml logs ${name} shows what it printed.`;
  if (row?.state === 'needs_sign_in') {
    return warn(what, 'needs a sign-in', `Run pml auth login ${name}.`);
  }
  const problem = error ?? row?.lastError;
  if (problem !== undefined) return fail(what, problem, fix);
  if (!row?.listed) return fail(what, 'started, but its lists could not be read', fix);
  const did = wasRunning ? 'answered' : 'started and listed';
  const message = `${row.tools} ${row.tools === 1 ? 'tool' : 'tools'}, ${did} in ${ms} ms`;
  if (ms > SLOW_MS) {
    return warn(what, message, 'Slow: "start": "background" has it up before the first call.');
  }
  return ok(what, message);
}

/** Where tokens of remote servers are kept. */
export function judgeSignIns(place: string): Finding {
  return ok('sign-ins', `tokens of remote servers are kept in ${place}`);
}

/** Tools agents cannot use although their server lists them. */
export function judgeTools(tools: readonly ListedTool[]): readonly Finding[] {
  const broken = tools.filter(({ status }) => status === 'quarantined');
  const blocked = tools.filter(({ status }) => status === 'blocked');
  return [
    ...(broken.length === 0
      ? []
      : [
          warn(
            'tools',
            `${broken.length} quarantined, definition broken: ${nameSome(broken)}`,
            'The others work. Tell the author of the server; pml tools has the state of each.',
          ),
        ]),
    ...(blocked.length === 0
      ? []
      : [
          warn(
            'tools',
            `${blocked.length} blocked, definition changed: ${nameSome(blocked)}`,
            'pml tools changes shows how; pml tools approve <tool> accepts.',
          ),
        ]),
  ];
}

function nameSome(tools: readonly ListedTool[]): string {
  const named = tools.slice(0, MAX_NAMED).map(({ id, status, reason }) => {
    return status === 'quarantined' && reason ? `${id} (${reason})` : id;
  });
  const rest = tools.length - named.length;
  return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

export function judgeStore(store: StoreStatus): Finding {
  if ('error' in store) {
    const fix = 'Run pml stop, then pml doctor --repair. Until then PML works from memory.';
    return fail('store', store.error, fix);
  }
  const { engine, version, schemaVersion, sizeBytes, failing = [] } = store;
  if (failing.length > 0) {
    const fix =
      'Is the disk full or read-only? pml logs says more; pml restart opens the store again.';
    return fail('store', failing.map(describeFailing).join('\n'), fix);
  }
  const size = sizeBytes === undefined ? '' : `, ${megabytes(sizeBytes)}`;
  return ok('store', `${engine} ${version}, schema ${schemaVersion}${size}`);
}

export function describeFailing({ what, error, at, times }: FailingOperation): string {
  return `${what} fails (${times === 1 ? 'once' : `${times} times`}, last ${localTime(at)}): ${error}`;
}

/** A daemon that rejects a changed file silently keeps the old one, so doctor reports it. */
export function judgeRejected(status: DaemonStatus | undefined): readonly Finding[] {
  const rejected = status?.rejectedConfig;
  if (!status || !rejected) return [];
  const message = `the daemon (pid ${status.pid}) does not use the file as it is now: ${rejected.message}`;
  return [fail('config', message, 'Correct the file; it is read again when it changes.')];
}

export function judgeRepair(report: RepairReport): Finding {
  if (report.outcome === 'healthy') return ok('repair', 'the store opens; nothing was changed');
  const { outcome, problem, movedTo, snapshot, rejected } = report;
  const place =
    outcome === 'restored'
      ? `restored from ${snapshot?.path ?? 'a snapshot'}`
      : 'rebuilt, because no snapshot could be used; the next start restores capabilities from capabilities.log';
  const refused = rejected.map(({ path, reason }) => `\nnot used: ${path} (${reason})`).join('');
  const fix = `The damaged files are in ${movedTo}; delete them when nothing is missed.`;
  return warn('repair', `${problem}\nThe store was ${place}.${refused}`, fix);
}

export interface LivingChild {
  readonly pid: number;
  readonly label: string;
}

/** A running daemon has ended the processes of the previous one: recorded ones are its own. */
export function judgeLeftovers(living: readonly LivingChild[], isRunning: boolean): Finding {
  if (isRunning || living.length === 0) return ok('processes', 'none left behind');
  const named = living.map(({ pid, label }) => `${label} (pid ${pid})`).join(', ');
  return warn('processes', `left by a daemon that died: ${named}`, 'The next start ends them.');
}
