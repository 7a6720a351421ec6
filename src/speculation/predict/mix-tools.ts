/** How likely each tool is called next, from all that speaks for it. */
import type { ToolId } from '../../core/index.js';

export interface ToolVotes {
  /** What followed the same tools in past sessions: chances that sum up to less than one or more. */
  readonly past: ReadonlyMap<ToolId, number>;
  /** The same in this session: agents work in loops. */
  readonly session: ReadonlyMap<ToolId, number>;
  /** How sessions go on with the tools they called last, whatever these are. */
  readonly recent: ReadonlyMap<ToolId, number>;
}

/** Which part each of them has where it says something. */
export interface ToolShares {
  readonly session: number;
  readonly recent: number;
}

/** Chosen on recorded runs by `bench -- speculate`. */
export const TOOL_SHARES: ToolShares = { session: 0.3, recent: 0.3 };

/** So many tools are looked at more closely. */
const MOST_TOOLS = 6;
const LEAST_CHANCE = 0.01;

/** Likeliest first. */
export function mixTools(
  { past, session, recent }: ToolVotes,
  shares: ToolShares,
): readonly (readonly [ToolId, number])[] {
  const mixed = new Map<ToolId, number>();
  const add = (votes: ReadonlyMap<ToolId, number>, share: number) => {
    if (share <= 0) return;
    for (const [tool, chance] of votes) mixed.set(tool, (mixed.get(tool) ?? 0) + share * chance);
  };
  const ofSession = session.size > 0 ? shares.session : 0;
  const ofRecent = recent.size > 0 ? shares.recent : 0;
  add(past, 1 - ofSession - ofRecent);
  add(session, ofSession);
  add(recent, ofRecent);
  return [...mixed]
    .filter(([, chance]) => chance >= LEAST_CHANCE)
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, MOST_TOOLS);
}
