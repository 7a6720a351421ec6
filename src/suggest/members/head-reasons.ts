import { companyOf, type HeadName, type HeadView } from '../../attention/index.js';
import type { ToolId } from '../../core/index.js';
import type { Evidence } from '../evidence.js';
import { headViews, lendersOf } from './head-signals.js';

/** The strongest vote of a head for a tool. */
export interface HeadReason {
  readonly head: HeadName;
  /** What the head attends to. */
  readonly attended: ToolId;
  /** The share of the attention that it gets, from 0 to 1. */
  readonly share: number;
  /** In one sentence, for users who ask why the tool is in a plan. */
  readonly because: string;
}

/** A smaller part of the votes explains nothing. */
const LEAST_PART = 0.05;

const ASKED: Readonly<Record<HeadName, string>> = {
  about: 'the request is about',
  begins: 'the request begins with',
  ends: 'the request ends with',
};
const RUNS: Readonly<Record<HeadName, string>> = {
  about: 'about',
  begins: 'that began with',
  ends: 'that ended with',
};

/** Which heads voted for each tool, and why. Empty while no head is in use. */
export function headReasons(
  evidence: Evidence,
  tools: readonly ToolId[],
): ReadonlyMap<ToolId, readonly HeadReason[]> {
  const views = headViews(evidence);
  return new Map(
    tools.map((tool) => [tool, views.flatMap((view) => strongest(view, tool, evidence) ?? [])]),
  );
}

function strongest(
  { name, attended, votes }: HeadView,
  tool: ToolId,
  evidence: Evidence,
): HeadReason | undefined {
  if ((votes.get(tool) ?? 0) < LEAST_PART) return undefined;
  const { runs, attention } = evidence;
  const lending = attention?.borrows ? { lenders: lendersOf(evidence) } : {};
  const parts = attended
    .filter(({ share }) => share >= LEAST_PART)
    .map(({ tool: voter, share }) => ({
      voter,
      share,
      part: share * (companyOf(voter, { head: name, runs, ...lending }).get(tool) ?? 0),
    }))
    .toSorted((one, other) => other.part - one.part);
  const [first] = parts;
  if (!first || first.part < LEAST_PART) return undefined;
  const { voter, share } = first;
  return { head: name, attended: voter, share, because: sentence() };

  function sentence(): string {
    const sure = share.toFixed(2);
    if (voter === tool) return `${ASKED[name]} it (${sure})`;
    const all = runs.anchored(name, voter);
    let called = 0;
    runs.eachWith(name, voter, (other, times) => {
      if (other === tool) called = times;
    });
    const asked = `${ASKED[name]} ${voter} (${sure})`;
    return called > 0
      ? `${asked}, and ${called} of ${all} runs ${RUNS[name]} ${voter} called this`
      : `${asked}, and runs ${RUNS[name]} the tools most like ${voter} called this`;
  }
}
