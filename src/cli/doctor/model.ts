/** Judges the embedding model. Pure: `probe-model.ts` finds out the facts. */
import type { ModelProbe } from '../../app/probe/probe-model.js';
import { type Finding, ok, warn } from './finding.js';

/** What the runtime of the model brings, by the package it comes from. */
const RUNTIMES: Readonly<Record<string, string>> = {
  'onnxruntime-node': ' (native runtime)',
  'onnxruntime-web':
    '\nThis is the portable runtime. The native one is 3 to 5 times as fast and takes 98 MB: run npm install onnxruntime-node@1.16.3 where PML is installed (with -g if PML is global), then pml restart.',
};

/** Without a model tools are still found by their words, so nothing here is a failure. */
export function judgeModel(probe: ModelProbe): Finding {
  const what = 'model';
  switch (probe.status) {
    case 'none':
      return ok(what, 'none configured; tools are found by their words');
    case 'works': {
      const { space, runtime, loadMs, embedMs } = probe;
      const times = `loaded in ${loadMs} ms, ${embedMs} ms for a text`;
      return ok(what, `${space} on ${runtime}, ${times}${RUNTIMES[runtime] ?? ''}`);
    }
    case 'failed':
      return warn(
        what,
        `${probe.error}\nUntil then tools are found by their words only.`,
        'Correct "embedding" ("gte-small" is built in, "none" does without a model), then run pml index.',
      );
  }
}
