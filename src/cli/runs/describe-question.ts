import type { RunDetails, RunTaskInfo } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import type { DaemonFlags } from '../daemon/ask.js';

/** One way to answer what a run asks. */
export interface RunChoice {
  readonly decision: 'approve' | 'reject' | 'retry' | 'skip' | 'abort';
  /** Empty where the decision is about the whole run. */
  readonly tasks: readonly string[];
  readonly label: string;
}

/** What a paused run can be answered; nothing for one that does not ask. Doubts come first. */
export function choicesOf(run: Pick<RunDetails, 'status' | 'tasks'>): readonly RunChoice[] {
  if (run.status !== 'needs_approval' && run.status !== 'needs_decision') return [];
  const ids = (status: RunTaskInfo['status']) =>
    run.tasks.filter((task) => task.status === status).map(({ id }) => id);
  const [doubtful, failed, held] = [ids('in_doubt'), ids('failed'), ids('needs_approval')];
  const abort: RunChoice = { decision: 'abort', tasks: [], label: 'end the run here' };
  if (doubtful.length > 0) {
    return [
      { decision: 'retry', tasks: doubtful, label: 'it did not happen: call again' },
      { decision: 'skip', tasks: doubtful, label: 'go on without calling again' },
      abort,
    ];
  }
  if (run.status === 'needs_decision') {
    return [
      { decision: 'retry', tasks: failed, label: 'try what failed again' },
      { decision: 'approve', tasks: held, label: 'go on with what is possible' },
      abort,
    ];
  }
  return [
    { decision: 'approve', tasks: held, label: 'make these calls' },
    { decision: 'reject', tasks: held, label: 'leave them out, and what needs them' },
    abort,
  ];
}

/** The calls a run asks about, each with its arguments and the reason, on lines of their own. */
export function describeRunQuestion(run: RunDetails): readonly string[] {
  const choices = choicesOf(run);
  const asked = new Set(choices.flatMap(({ tasks }) => tasks));
  return run.tasks
    .filter(({ id }) => asked.has(id))
    .flatMap((task) => [
      `task ${visible(task.id)} ${describeAsked(task)}`,
      `  ${visible(task.tool)} ${visible(task.args)}`,
    ]);
}

function describeAsked({ status, because = '', error }: RunTaskInfo): string {
  switch (status) {
    case 'in_doubt':
      return `may or may not have been carried out (${visible(because)}):`;
    case 'failed':
      return `failed (${visible(error?.message ?? '')}):`;
    default:
      return `needs approval (${visible(because)}):`;
  }
}

/** Every answer as the command that gives it, ready to be copied. */
export function describeChoices(run: RunDetails, flags: DaemonFlags): readonly string[] {
  const choices = choicesOf(run);
  const commands = choices.map(({ decision, tasks }) => {
    const named = tasks.map((id) => ` --task ${quote(id)}`).join('');
    return runCommandLine(`continue ${quote(run.run)} ${decision}${named}`, flags);
  });
  const width = Math.max(0, ...commands.map(({ length }) => length));
  return choices.map(({ label }, place) => `${commands[place]!.padEnd(width)}  # ${label}`);
}

/** A `pml` command for the same configuration as this one. */
export function runCommandLine(command: string, { config, dataDir }: DaemonFlags): string {
  const place = [
    ...(config === undefined ? [] : [` --config ${quote(config)}`]),
    ...(dataDir === undefined ? [] : [` --data-dir ${quote(dataDir)}`]),
  ].join('');
  return `pml ${command}${place}`;
}

/** As a word of a shell; ids and paths may hold anything. */
function quote(text: string): string {
  const shown = visible(text);
  return /^[\w./:@=+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
