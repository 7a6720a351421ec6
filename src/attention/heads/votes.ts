import type { ToolId } from '../../core/index.js';
import type { Incidence } from '../hypergraph/hypergraph.js';
import type { Levels } from '../hypergraph/levels.js';
import type { HeadName } from '../hypergraph/run-edge.js';
import type { Attended } from './attend.js';

/** A tool similar to another, and their similarity: 1 is identical. */
export type Alike = readonly [tool: ToolId, likeness: number];

/** The tools most similar to a tool among those that may lend it their company. */
export type FindAlike = (tool: ToolId, lends: (other: ToolId) => boolean) => readonly Alike[];

export interface CompanyOptions {
  readonly head: HeadName;
  readonly runs: Incidence;
  /** Missing if no tool borrows: then a tool without runs of its own votes for itself alone. */
  readonly lenders?: Lenders;
}

/** Which tools lend their company to a rarely used one. */
export interface Lenders {
  readonly alike?: FindAlike | undefined;
  readonly levels?: Levels | undefined;
}

/** Number of the most attended tools that vote. */
const VOTERS = 12;
/** A smaller share of the attention changes no plan. */
const LEAST_SHARE = 0.005;
/** Weight of borrowed company, in runs of the most similar tools. */
const BORROWED_RUNS = 0.7;
/** With more runs of its own a tool borrows nothing. */
const RUNS_ENOUGH = 20;
/** Similarity of a capability and a tool that its code is about. */
const KIN = 0.95;
/** How much more the most similar tools lend than less similar ones. */
const SHARPNESS = 8;

/**
 * Each attended tool votes for the tools that came with it: the probability that a tool is called,
 * given what the head attends to.
 */
export function castVotes(
  attended: readonly Attended[],
  options: CompanyOptions,
): ReadonlyMap<ToolId, number> {
  const votes = new Map<ToolId, number>();
  for (const { tool, share } of attended.slice(0, VOTERS)) {
    if (share < LEAST_SHARE) break;
    for (const [other, chance] of companyOf(tool, options)) {
      votes.set(other, (votes.get(other) ?? 0) + share * chance);
    }
  }
  return votes;
}

/** How likely each tool is called in a run with this anchor. A rare anchor borrows company. */
export function companyOf(
  anchor: ToolId,
  { head, runs, lenders }: CompanyOptions,
): ReadonlyMap<ToolId, number> {
  const company = new Map<ToolId, number>();
  const own = runs.anchored(head, anchor);
  const isRare = lenders !== undefined && own < RUNS_ENOUGH;
  const lent = isRare ? borrowed(anchor, { head, runs, lenders }) : undefined;
  const doubt = lent ? BORROWED_RUNS : 0;
  runs.eachWith(head, anchor, (tool, times) => company.set(tool, times / (own + doubt)));
  for (const [tool, chance] of lent ?? []) {
    company.set(tool, (company.get(tool) ?? 0) + (doubt * chance) / (own + doubt));
  }
  company.set(anchor, 1);
  return company;
}

/**
 * The company of the tools most similar to the anchor. Messages also go one level down and up:
 * runs about the tools of a capability, runs about capabilities made of the anchor, and their code.
 */
function borrowed(
  anchor: ToolId,
  { head, runs, lenders: { alike, levels } }: Required<CompanyOptions>,
): ReadonlyMap<ToolId, number> | undefined {
  const lends = (tool: ToolId) => runs.anchored(head, tool) > 0;
  const above = levels?.above(anchor) ?? [];
  const kin = [...(levels?.below(anchor) ?? []), ...above].filter(lends);
  const known = [...kin.map((node) => [node, KIN] as const), ...(alike?.(anchor, lends) ?? [])];
  // A run need not call what a capability already calls inside.
  const isDone = new Set(levels?.inside(anchor));
  const lent = new Map<ToolId, number>();
  let total = 0;
  const lend = (tool: ToolId, share: number) => {
    if (tool !== anchor && !isDone.has(tool)) lent.set(tool, (lent.get(tool) ?? 0) + share);
  };
  for (const [other, likeness] of known) {
    if (other === anchor) continue;
    const weight = weightOf(likeness);
    const times = runs.anchored(head, other);
    total += weight;
    runs.eachWith(head, other, (tool, count) => {
      // A similar tool replaces the anchor, so it does not come with it.
      if (tool !== other) lend(tool, (weight * count) / times);
    });
  }
  for (const capability of above) {
    total += weightOf(KIN);
    for (const tool of levels?.inside(capability) ?? []) lend(tool, weightOf(KIN));
  }
  if (total === 0) return undefined;
  for (const [tool, sum] of lent) lent.set(tool, sum / total);
  return lent;
}

function weightOf(likeness: number): number {
  return Math.exp(SHARPNESS * (likeness - 1));
}
