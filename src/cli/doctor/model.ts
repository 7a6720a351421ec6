/** Judges the embedding model. Pure: `probe-model.ts` finds out the facts. */
import type { ModelProbe } from '../../app/probe/probe-model.js';
import { type Finding, ok, warn } from './finding.js';

/** Without a model tools are still found by their words, so nothing here is a failure. */
export function judgeModel(probe: ModelProbe): Finding {
  const what = 'model';
  switch (probe.status) {
    case 'none':
      return ok(what, 'none configured; tools are found by their words');
    case 'works': {
      const { space, runtime, loadMs, embedMs } = probe;
      return ok(what, `${space} on ${runtime}, loaded in ${loadMs} ms, ${embedMs} ms for a text`);
    }
    case 'failed':
      return warn(
        what,
        `${probe.error}\nUntil then tools are found by their words only.`,
        'Correct "embedding" ("gte-small" is built in, "none" does without a model), then run pml index.',
      );
  }
}
