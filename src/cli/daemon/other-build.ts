/** A daemon of another build than this command: its answers may have another form than we expect. */
import { BUILD, VERSION } from '../../app/version.js';
import { messageOf, PmlError } from '../../core/errors.js';

export interface BuildName {
  readonly version: string;
  /** Daemons of old builds do not say. */
  readonly build?: string | undefined;
}

const OWN: BuildName = { version: VERSION, build: BUILD };
const ADVICE = 'Run pml restart; connected clients stay connected.';

/** Undefined for the same build. The commit in front of the hash does not count: it may change a text only. */
export function describeOtherBuild(
  daemon: BuildName & { readonly pid: number },
  own: BuildName = OWN,
): string | undefined {
  const isSame = daemon.version === own.version && hashOf(daemon) === hashOf(own);
  if (isSame) return undefined;
  return `The daemon (pid ${daemon.pid}) runs another build (${nameOf(daemon)}) than this command (${nameOf(own)}). ${ADVICE}`;
}

export function nameOf({ version, build }: BuildName): string {
  return `${version}, build ${build ?? 'unknown'}`;
}

function hashOf({ build }: BuildName): string | undefined {
  return build?.split('-').at(-1);
}

let noticed: string | undefined;

/** Tells the user, once for each command. */
export function noticeBuild(daemon: BuildName & { readonly pid: number }): void {
  const before = noticed;
  noticed = describeOtherBuild(daemon);
  if (noticed !== undefined && noticed !== before) process.stderr.write(`pml: ${noticed}\n`);
}

/** What a command fails with after it met a daemon of another build. */
export function explainFailure(error: unknown): unknown {
  // Of our own errors the message says what is wrong; any other is an answer we could not read.
  if (noticed === undefined || error instanceof PmlError) return error;
  const message = `The answer of the daemon cannot be read (${messageOf(error)}). ${noticed}`;
  return new PmlError('DAEMON_UNREACHABLE', message, { cause: error });
}
