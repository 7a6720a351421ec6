import type { ToolId } from '../../core/index.js';
import type { PlanLink } from './plan-link.js';

interface Acyclic {
  readonly links: readonly PlanLink[];
  /** Those that would close a cycle with the ones before them. */
  readonly broken: readonly PlanLink[];
}

/** Keeps the first of the links that would close a cycle. */
export function withoutCycles(all: readonly PlanLink[]): Acyclic {
  const links: PlanLink[] = [];
  const broken: PlanLink[] = [];
  for (const link of all) {
    const isClosing = allAfter(link.to, links).has(link.from);
    (isClosing ? broken : links).push(link);
  }
  return { links, broken };
}

/** What comes after a step over any number of links, and the step itself. */
export function allAfter(start: ToolId, links: readonly PlanLink[]): ReadonlySet<ToolId> {
  const after = new Set([start]);
  // Grows while it is read.
  for (const tool of after) for (const { from, to } of links) if (from === tool) after.add(to);
  return after;
}
