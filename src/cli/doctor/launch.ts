/** Judges what came of starting PML as a client does. Pure: `try-launch.ts` does it. */
import type { Client } from '../../clients/index.js';
import { fail, type Finding, ok, warn } from './finding.js';
import type { LaunchOutcome } from './try-launch.js';

export interface TriedLaunch {
  readonly client: Client;
  /** Of the client's file. */
  readonly path: string;
  readonly outcome: LaunchOutcome;
}

export function judgeLaunch({ client, path, outcome }: TriedLaunch): Finding {
  const what = `client ${client}`;
  const again = `Run pml init --client ${client} with the PML it is to start.`;
  switch (outcome.kind) {
    case 'answered':
      return outcome.name === 'pml'
        ? ok(what, `${path} starts PML, which answered in ${outcome.ms} ms`)
        : fail(what, `${path} starts "${outcome.name}", which is not PML`, again);
    case 'from-registry':
      return fail(
        what,
        `${path} starts the package "pml" of the registry, which is not this PML; it was not tried`,
        again,
      );
    case 'has-variables':
      return warn(
        what,
        `${path} starts PML with variables only the client knows; it was not tried`,
        'pml init writes an entry without.',
      );
    case 'missing':
      return fail(
        what,
        `${path} starts ${outcome.path}, which does not exist; it was moved or removed`,
        again,
      );
    case 'not-found':
      return fail(
        what,
        `${path} starts "${outcome.command}", which the client does not find in ${outcome.searched}`,
        again,
      );
    case 'old-node':
      return fail(what, `${path} starts Node ${outcome.version}, which is too old`, again);
    case 'ended':
      return fail(
        what,
        `${path}: what it starts ended ${ending(outcome.code)} and did not answer${quote(outcome.said)}`,
        'Correct what it says, then run pml doctor again.',
      );
    case 'silent':
      return fail(
        what,
        `${path}: what it starts gave no answer within ${outcome.ms} ms${quote(outcome.said)}`,
        'pml logs shows what the daemon said.',
      );
  }
}

function ending(code: number | null): string {
  return code === null ? 'at once' : `with code ${code}`;
}

function quote(said: string): string {
  const text = said.trim();
  return text === '' ? '' : `:\n${text}`;
}
