import type { Task, TaskId } from '../../core/index.js';
import type { SimilarRun } from '../../planner/index.js';
import type { Suggestion } from '../../suggest/index.js';

/** The most alike is trusted as far as it can be, the others as they are less alike. */
export function similarRuns({ evidence }: Pick<Suggestion, 'evidence'>): readonly SimilarRun[] {
  const { similar, trust, repeated } = evidence;
  const most = similar[0]?.share ?? 1;
  const same = new Set(repeated?.runs);
  return [
    ...Array.from(same, (id) => ({ id, weight: repeated?.likeness ?? 0, isSame: true })),
    ...similar
      .filter(({ plan }) => !same.has(plan.id))
      .map(({ plan, share }) => ({ id: plan.id, weight: (trust * share) / most })),
  ];
}

/** Where the intent asks for each of them, as far as discovery can tell. */
export function placesOf(
  tasks: readonly Task[],
  { evidence }: Pick<Suggestion, 'evidence'>,
): ReadonlyMap<TaskId, number> {
  const places = new Map(evidence.likely.map(({ tool, place }) => [tool, place]));
  return new Map(
    tasks.flatMap(({ id, tool }): [TaskId, number][] => {
      const place = places.get(tool);
      return place === undefined ? [] : [[id, place]];
    }),
  );
}
