import type { TaskId } from '../../core/index.js';
import { bindingSignals, canGoInto } from './binding-signals.js';
import { type FlowTask, type InferOptions, profilesOf } from './infer-flow.js';
import { crowdOf, CROWD_WEIGHT } from './pair-links.js';
import { BIAS, type BindingSignals, WEIGHTS } from './score-binding.js';

/** A field that could fill a parameter, with all its signals. */
export interface BindingCandidate {
  readonly from: TaskId;
  readonly to: TaskId;
  readonly param: string;
  readonly path: string;
  /** In the order of `WEIGHED_SIGNALS`. */
  readonly signals: Float64Array;
}

const NAMES = Object.keys(WEIGHTS) as (keyof BindingSignals)[];

/** The signals and their shipped weights. */
export const WEIGHED_SIGNALS: readonly { readonly name: string; readonly weight: number }[] = [
  ...NAMES.map((name) => ({ name, weight: WEIGHTS[name] })),
  { name: 'bias', weight: BIAS },
  { name: 'crowd', weight: CROWD_WEIGHT },
];

/** Every candidate that the schemas allow between the tasks. Benches fit weights to them. */
export function bindingCandidates(
  tasks: readonly FlowTask[],
  { tools, similarity }: Pick<InferOptions, 'tools' | 'similarity'>,
): readonly BindingCandidate[] {
  const profiles = profilesOf(tasks, tools);
  const crowd = crowdOf(tasks.length - 1);
  return tasks.flatMap(({ id: to, tool }) => {
    const consumer = profiles.get(tool)!;
    return tasks
      .filter(({ id }) => id !== to)
      .flatMap(({ id: from, tool: source }) => {
        const producer = profiles.get(source)!;
        return consumer.parameters.flatMap((parameter) =>
          producer.outputs
            .filter((output) => canGoInto(output, parameter))
            .map((output) => {
              const own = bindingSignals(output, parameter, { producer, consumer, similarity });
              const signals = Float64Array.of(...NAMES.map((name) => own[name] ?? 0), 1, crowd);
              const { path: param } = parameter.field;
              return { from, to, param, path: output.field.path, signals };
            }),
        );
      });
  });
}
