import type { ToolId } from '../../core/index.js';
import type { Incidence } from '../hypergraph/hypergraph.js';
import type { HeadName } from '../hypergraph/run-edge.js';
import { attend, type Attendable, type Attended } from './attend.js';
import { castVotes, type Lenders } from './votes.js';

/** A question with the weights that were learned for it. */
export interface Head {
  readonly name: HeadName;
  /** One for each signal of discovery and of `ANCHOR_SIGNALS`. */
  readonly weights: Float64Array;
}

/** The heads that are in use. */
export interface AttentionModel {
  readonly heads: readonly Head[];
  /** Whether tools that were rarely used borrow the company of the tools most like them. */
  readonly borrows: boolean;
}

/** What a head attends to, and what that votes for. */
export interface HeadView {
  readonly name: HeadName;
  /** Most attended first. */
  readonly attended: readonly Attended[];
  readonly votes: ReadonlyMap<ToolId, number>;
}

export interface AttendedRequest {
  readonly tools: readonly Attendable[];
  readonly runs: Incidence;
  readonly lenders: Lenders;
}

/** Every head looks at a request. */
export function lookWith(
  { heads, borrows }: AttentionModel,
  { tools, runs, lenders }: AttendedRequest,
): readonly HeadView[] {
  return heads.map(({ name, weights }) => {
    const attended = attend(name, weights, tools, runs);
    const options = { head: name, runs, ...(borrows && { lenders }) };
    return { name, attended, votes: castVotes(attended, options) };
  });
}
