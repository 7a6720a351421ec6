import type { RunDetails } from '../../control/index.js';

/** Details of a run for `--json`: arguments and results are values, not texts of JSON. */
export function runJson(run: RunDetails): object {
  return {
    ...run,
    tasks: run.tasks.map(({ args, result, input, output, ...task }) => ({
      ...task,
      // Daemons of old builds have only the texts.
      args: input ?? args,
      ...(result !== undefined && { result: output === undefined ? result : output }),
    })),
  };
}
