/**
 * Requests whose vectors are at least this alike (cosine) are nearly the same. Sentences of one kind
 * about different things reach 0.97 in the public sets; above this, almost only rewordings are left.
 */
export const NEARLY_EQUAL = 0.985;

/** What decides whether a request is nearly the same as another request. */
export interface GroupedRequest {
  readonly group: string;
  /** Requests with equal words are the same request. Empty words are equal to nothing. */
  readonly words: string;
}

/**
 * Joins groups that a learned model must treat as one when it is judged: groups that share a request,
 * and pairs of groups that the caller found to be near. The result maps each group to the name of the
 * joined group.
 */
export function nearGroups(
  requests: Iterable<GroupedRequest>,
  near: Iterable<readonly [group: string, other: string]> = [],
): (group: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (group: string): string => {
    let root = group;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    // Shortens the path, so that later lookups take one step.
    for (let at = group; at !== root;) {
      const next = parents.get(at)!;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (into: string, group: string): void => {
    const [root, joined] = [rootOf(into), rootOf(group)];
    if (root !== joined) parents.set(joined, root);
  };
  const firstWith = new Map<string, string>();
  for (const { group, words } of requests) {
    if (words === '') continue;
    const first = firstWith.get(words);
    if (first === undefined) firstWith.set(words, group);
    else join(first, group);
  }
  for (const [group, other] of near) join(group, other);
  return rootOf;
}
