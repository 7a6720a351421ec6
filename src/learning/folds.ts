/** Parts of experience, each of which is judged by what the others tell. */

export interface Grouped {
  /** Examples of one group must not judge each other. */
  readonly group: string;
}

/** The fold of each group: groups stay together, and its place alone decides which it is. */
export function assignFolds(groups: Iterable<string>, count: number): ReadonlyMap<string, number> {
  const folds = new Map<string, number>();
  for (const group of groups) if (!folds.has(group)) folds.set(group, folds.size % count);
  return folds;
}

/** Without folds that nothing is in. */
export function foldsOf<One extends Grouped>(
  examples: readonly One[],
  count: number,
): readonly (readonly One[])[] {
  const foldOf = assignFolds(
    examples.map(({ group }) => group),
    count,
  );
  const folds = Array.from({ length: count }, (_, fold) =>
    examples.filter(({ group }) => foldOf.get(group) === fold),
  );
  return folds.filter((fold) => fold.length > 0);
}

export interface CrossFitted<Weights> {
  /** Learned from all examples. */
  readonly all: Weights;
  /** Learned from those of the other folds. */
  readonly without: (fold: number) => Weights;
}

/** Fits once for each fold without it, and once with all examples. */
export async function crossFit<One extends { readonly fold: number }, Weights>(
  examples: readonly One[],
  count: number,
  fit: (some: readonly One[]) => Promise<Weights>,
): Promise<CrossFitted<Weights>> {
  const without = await fitWithout(examples, count, fit);
  return { all: await fit(examples), without };
}

/** Fits once for each fold without it: for weights that are judged and never used. */
export async function fitWithout<One extends { readonly fold: number }, Weights>(
  examples: readonly One[],
  count: number,
  fit: (some: readonly One[]) => Promise<Weights>,
): Promise<CrossFitted<Weights>['without']> {
  const byFold: Weights[] = [];
  for (let fold = 0; fold < count; fold++) {
    byFold.push(await fit(examples.filter((one) => one.fold !== fold)));
  }
  return (fold) => byFold[fold]!;
}
