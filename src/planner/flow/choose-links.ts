import type { TaskId } from '../../core/index.js';
import { DependencyGraph } from './dependency-graph.js';

/** A possible dependency, for the sake of one parameter where that is known. */
export interface CandidateLink {
  readonly from: TaskId;
  readonly to: TaskId;
  readonly param?: string;
  readonly score: number;
}

/** A dependency that is given and stays. */
export interface GivenDependency {
  readonly from: TaskId;
  readonly to: TaskId;
}

/** A dependency that was left out because it would have closed a cycle. */
export interface BrokenLink {
  readonly from: TaskId;
  readonly to: TaskId;
  readonly score: number;
  /** The cycle it would have closed, from `from` over `to` back to `from`. */
  readonly cycle: readonly TaskId[];
}

/** Sources this close to the best one are about as good. */
const ABOUT_EQUAL = 0.08;

/**
 * Takes of each parameter the best source and those about as good. The best links are taken first,
 * and one that would close a cycle with better ones, or with given dependencies, is left out: so a
 * cycle always breaks at its weakest link, the next best source steps in, and the order in which
 * links are listed does not matter.
 */
export function chooseFlowLinks<Link extends CandidateLink>(
  links: readonly Link[],
  given: readonly GivenDependency[],
): { readonly chosen: readonly Link[]; readonly broken: readonly BrokenLink[] } {
  const graph = new DependencyGraph();
  for (const { from, to } of given.toSorted(compareEnds)) graph.add(from, to);
  const best = new Map<string, number>();
  const chosen: Link[] = [];
  const broken = new Map<string, BrokenLink>();
  for (const link of links.toSorted((a, b) => b.score - a.score || compareEnds(a, b))) {
    const { from, to, param = '', score } = link;
    const top = best.get(`${to}\n${param}`);
    if (top !== undefined && score < top - ABOUT_EQUAL) continue;
    if (!graph.add(from, to)) {
      const pair = `${from}\n${to}`;
      // Other parameters of the same two tasks would only say it again.
      if (!broken.has(pair)) broken.set(pair, { from, to, score, cycle: graph.cycle(from, to) });
      continue;
    }
    if (top === undefined) best.set(`${to}\n${param}`, score);
    chosen.push(link);
  }
  return { chosen, broken: [...broken.values()] };
}

type LinkEnds = GivenDependency & { readonly param?: string };

function compareEnds(a: LinkEnds, b: LinkEnds): number {
  return compare(a.to, b.to) || compare(a.from, b.from) || compare(a.param ?? '', b.param ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
