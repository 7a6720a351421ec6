/** Which tool the next turn of a session calls, from what followed the same tools before. */
import type { ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { kept } from './kept-map.js';

interface Followed {
  readonly times: Map<ToolId, number>;
  /** Turns that followed, with whatever tools, and ends of sessions. */
  total: number;
}

const MOST_CONTEXTS = 20_000;

/** Counts which tools the next turn called after the same last tools. */
export class TurnCounts {
  readonly #followed = new Map<string, Followed>();

  /** The next turn called these tools; none if the session ended. */
  add(contexts: readonly string[], tools: Iterable<ToolId>): void {
    const distinct = new Set(tools);
    for (const context of contexts) {
      const followed = kept(this.#followed, context, newFollowed, MOST_CONTEXTS);
      followed.total += 1;
      for (const tool of distinct) followed.times.set(tool, (followed.times.get(tool) ?? 0) + 1);
    }
  }

  /** One more tool of a turn that was counted already. */
  addToSameTurn(contexts: readonly string[], tool: ToolId): void {
    for (const context of contexts) {
      const followed = kept(this.#followed, context, newFollowed, MOST_CONTEXTS);
      followed.times.set(tool, (followed.times.get(tool) ?? 0) + 1);
    }
  }

  /**
   * How likely the next turn calls each tool that came after at least one of the contexts; the
   * longest context counts most, the more the fewer different tools followed it (Witten-Bell).
   */
  chances(contexts: readonly string[]): ReadonlyMap<ToolId, number> {
    let chances = new Map<ToolId, number>();
    for (const context of contexts) {
      const followed = this.#followed.get(context);
      if (!followed) continue;
      const { times, total } = followed;
      const rest = times.size / (total + times.size);
      const next = new Map<ToolId, number>();
      for (const [tool, chance] of chances) next.set(tool, chance * rest);
      for (const [tool, count] of times) {
        next.set(tool, (next.get(tool) ?? 0) + count / (total + times.size));
      }
      chances = next;
    }
    return chances;
  }
}

const newFollowed = (): Followed => ({ times: new Map(), total: 0 });

/** What is looked at of the past, shortest first: nothing, the last tool, whether it failed, more. */
export function contextsOf(calls: readonly SessionCall[]): readonly string[] {
  const last = calls.at(-1);
  if (!last) return ['', 'start'];
  const turn = calls.filter((call) => call.turn === last.turn);
  const start = calls.findLastIndex((call) => call.tool !== last.tool);
  const before = calls[start]?.tool ?? '';
  const turns = new Set(calls.slice(start + 1).map((call) => call.turn)).size;
  const runs = Math.min(turns, 3);
  const failed = last.ok ? '' : '!';
  const many = turn.length > 1 ? '*' : '';
  return [
    '',
    last.tool,
    `${last.tool}${failed}${many}`,
    `${last.tool}${failed}${many} ${runs}`,
    `${last.tool}${failed}${many} ${runs} ${before}`,
  ];
}

/** The same for what this session did before, which is little: only the last tools. */
export function sessionChances(calls: readonly SessionCall[]): ReadonlyMap<ToolId, number> {
  const counts = new TurnCounts();
  const turns = turnsOf(calls);
  turns.slice(1).forEach((turn, at) => {
    counts.add(
      sessionContexts(turns.slice(0, at + 1)),
      turn.map(({ tool }) => tool),
    );
  });
  return counts.chances(sessionContexts(turns));
}

type Turn = readonly SessionCall[];

function sessionContexts(turns: readonly Turn[]): readonly string[] {
  const [last, before] = [turns.at(-1)?.at(-1), turns.at(-2)?.at(-1)];
  if (!last) return [''];
  return ['', last.tool, ...(before ? [`${before.tool} ${last.tool}`] : [])];
}

/** Oldest first. */
export function turnsOf(calls: readonly SessionCall[]): readonly Turn[] {
  const turns: SessionCall[][] = [];
  for (const call of calls) {
    const last = turns.at(-1);
    if (last?.[0]?.turn === call.turn) last.push(call);
    else turns.push([call]);
  }
  return turns;
}
