/** Judges the journal of runs. Pure: `app/probe/probe-journal.ts` finds out the facts. */
import type { JournalFacts } from '../../app/probe/probe-journal.js';
import { fail, type Finding, ok } from './finding.js';
import { megabytes } from './machine.js';

const WHAT = 'journal';
const MOST_NAMED = 10;

/** `told`: problems a running daemon found when it opened the journal; it may have fixed them. */
export function judgeJournal(facts: JournalFacts, told: readonly string[] = []): Finding {
  if ('isElsewhere' in facts) return ok(WHAT, 'runs are in the database');
  const { directory } = facts;
  if ('error' in facts) {
    return fail(WHAT, facts.error, `Make ${directory} readable for this user.`);
  }
  const { problems, damaged, files, runs, bytes, cut } = facts.report;
  const all = [...new Set([...problems, ...told])];
  if (all.length > 0) return fail(WHAT, describeProblems(all), adviceFor(damaged, directory));
  if (files === 0) return ok(WHAT, 'no runs yet');
  const size = `${files} ${files === 1 ? 'file' : 'files'}, ${runs} ${runs === 1 ? 'run' : 'runs'}, ${megabytes(bytes)}; every record is whole`;
  const end =
    cut === undefined
      ? ''
      : `\nThe last write is not complete (${cut}): a crash cut it off, or it is in progress. PML reported it to no client.`;
  return ok(WHAT, `${size}${end}`);
}

function describeProblems(problems: readonly string[]): string {
  const named = problems.slice(0, MOST_NAMED);
  const rest = problems.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function adviceFor(damaged: readonly string[], directory: string): string {
  const restore = `If there is a backup of ${directory}: pml stop, put it back, start again.`;
  if (damaged.length === 0) {
    return `Those records are lost; unfinished runs among them do not resume. ${restore}`;
  }
  const named = damaged.slice(0, MOST_NAMED).join(', ');
  return `Not gone on with, because calls they made may be missing: ${named}. pml show <run> has what is left; check what its calls did, then end it: pml continue <run> abort. ${restore}`;
}
