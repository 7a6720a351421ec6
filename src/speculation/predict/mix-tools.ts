/** How likely each tool is called next, from all that speaks for it. */
import type { ToolId } from '../../core/index.js';

export interface ToolVotes {
  /** What followed the same tools in past sessions: chances that sum up to less than one or more. */
  readonly past: ReadonlyMap<ToolId, number>;
  /** The same in this session: agents work in loops. */
  readonly session: ReadonlyMap<ToolId, number>;
  /** How sessions go on with the tools they called last, whatever these are. */
  readonly recent: ReadonlyMap<ToolId, number>;
  /** The next-step model. It tells what comes next if it is another tool than the last one. */
  readonly next: ReadonlyMap<ToolId, number>;
  /** Heat that spreads from the last tools over capabilities, as shares of all heat. */
  readonly heat: ReadonlyMap<ToolId, number>;
}

/** Which part each of them has where it says something. */
export interface ToolShares {
  readonly session: number;
  readonly recent: number;
  readonly next: number;
  readonly heat: number;
}

/** Chosen on recorded runs by `bench -- speculate`; heat did not help there. */
export const TOOL_SHARES: ToolShares = { session: 0.3, recent: 0.3, next: 0.4, heat: 0 };

/** So many tools are looked at more closely. */
const MOST_TOOLS = 6;
const LEAST_CHANCE = 0.01;

/** Likeliest first. */
export function mixTools(
  { past, session, recent, next, heat }: ToolVotes,
  last: ToolId | undefined,
  shares: ToolShares,
): readonly (readonly [ToolId, number])[] {
  const mixed = new Map<ToolId, number>();
  const add = (votes: ReadonlyMap<ToolId, number>, share: number) => {
    if (share <= 0) return;
    for (const [tool, chance] of votes) mixed.set(tool, (mixed.get(tool) ?? 0) + share * chance);
  };
  const ofSession = session.size > 0 ? shares.session : 0;
  const ofRecent = recent.size > 0 ? shares.recent : 0;
  const ofHeat = heat.size > 0 ? shares.heat : 0;
  add(past, 1 - ofSession - ofRecent - ofHeat);
  add(session, ofSession);
  add(recent, ofRecent);
  add(heat, ofHeat);
  if (next.size > 0 && shares.next > 0) mixNext(mixed, next, last, shares.next);
  return [...mixed]
    .filter(([, chance]) => chance >= LEAST_CHANCE)
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, MOST_TOOLS);
}

/** The rest, besides a repetition of the last tool, is parted between both. */
function mixNext(
  mixed: Map<ToolId, number>,
  next: ReadonlyMap<ToolId, number>,
  last: ToolId | undefined,
  share: number,
): void {
  const again = last === undefined ? 0 : Math.min(1, mixed.get(last) ?? 0);
  for (const [tool, chance] of mixed) if (tool !== last) mixed.set(tool, (1 - share) * chance);
  for (const [tool, chance] of next) {
    if (tool === last) continue;
    mixed.set(tool, (mixed.get(tool) ?? 0) + share * (1 - again) * chance);
  }
}
