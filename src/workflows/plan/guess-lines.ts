import { type Guess, isJsonObject, type JsonValue, type Task } from '../../core/index.js';
import { valueAt } from '../../planner/index.js';
import { shortLine } from '../../results/index.js';

const SHOWN_VALUE = 60;

/**
 * A short line for each value that PML filled in: `c.data ← b.parsed (0.91)` for a result,
 * `a.city = "Vienna" (literal, 0.83)` for anything else.
 */
export function guessLines(
  tasks: readonly (Pick<Task, 'args' | 'guessed'> & { readonly id: string })[],
): readonly string[] {
  return tasks.flatMap(({ id, args, guessed = {} }) =>
    Object.entries(guessed).map(([param, guess]) => {
      const { value, isResult } = describeValue(valueAt(args, param), guess);
      const { source, score, confirmed } = guess;
      const how = [
        ...(isResult ? [] : [source]),
        ...(source === 'default' ? [] : [score.toFixed(2)]),
        ...(confirmed ? [confirmed] : []),
      ];
      return `${id}.${param} ${value} (${how.join(', ')})`;
    }),
  );
}

/** The same with the reason, for the agent or the person who decides. */
export function explainGuess({ args }: Pick<Task, 'args'>, param: string, guess: Guess): string {
  const { source, score, because } = guess;
  const { value } = describeValue(valueAt(args, param), guess);
  return `${param} ${value} (${source}, ${score.toFixed(2)}: ${because})`;
}

function describeValue(value: JsonValue | undefined, { source }: Guess) {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  if (source === 'inferred' && typeof reference === 'string') {
    return { value: `← ${reference}`, isResult: true };
  }
  const text = shortLine(JSON.stringify(value ?? null), SHOWN_VALUE);
  return { value: `= ${text}`, isResult: false };
}
