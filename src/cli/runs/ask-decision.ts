import type { RunDetails } from '../../control/index.js';
import { choicesOf, describeRunQuestion, type RunChoice } from './describe-question.js';

const LATER = -1;

/** Asks the user what a paused run asks; undefined if the user decides later. */
export async function askDecision(run: RunDetails): Promise<RunChoice | undefined> {
  const { isCancel, log, select } = await import('@clack/prompts');
  const choices = choicesOf(run);
  log.message(describeRunQuestion(run).join('\n'));
  const options = choices.map(({ decision, label }, value) => ({
    value,
    label: decision,
    hint: label,
  }));
  const later = { value: LATER, label: 'later', hint: 'the run waits' };
  const answer = await select({
    message: 'What now?',
    options: [...options, later],
    // A user who only presses return has not read the question.
    initialValue: LATER,
  });
  return isCancel(answer) ? undefined : choices[answer];
}
