/** Judges what servers say of themselves, and whether changes of it would be noticed. Pure. */
import type { DaemonTools } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { fail, type Finding, warn } from './finding.js';

const MAX_NAMED = 10;

export function judgeDefinitions(
  listed: Pick<DaemonTools, 'hidden' | 'pinsProblem' | 'overrideProblems'> | undefined,
): readonly Finding[] {
  const { hidden = [], pinsProblem, overrideProblems = [] } = listed ?? {};
  return [
    ...overrideProblems.map(({ tool, problem }) =>
      warn(`override ${tool}`, problem, 'Correct it in "tools.override" of the configuration.'),
    ),
    ...(pinsProblem === undefined ? [] : [judgePins(pinsProblem)]),
    ...(hidden.length === 0 ? [] : [judgeHidden(hidden)]),
  ];
}

function judgePins(problem: string): Finding {
  const fix =
    'Put back a good copy of the file, or delete it to approve all definitions as they are now; then run pml restart.';
  return fail('pins', problem, fix);
}

function judgeHidden(hidden: DaemonTools['hidden']): Finding {
  const named = hidden
    .slice(0, MAX_NAMED)
    .map(({ server, place }) => `${server}: ${visible(place)}`);
  const rest = hidden.length - named.length;
  const more = rest > 0 ? `, and ${rest} more` : '';
  const many = hidden.length === 1 ? '1 text' : `${hidden.length} texts`;
  return warn(
    'texts',
    `${many} of servers had invisible characters, which PML removed: ${named.join(', ')}${more}`,
    'Such characters hide instructions from people. Look at the server before you use it.',
  );
}
