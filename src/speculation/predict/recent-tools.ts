/** Which of its latest tools a session calls again: learned over all tools, so it also covers new tools. */
import type { ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { TurnCounts } from './tool-chances.js';

/** The tool called last has place 0, the one called last before it place 1. */
const MOST_PLACES = 6;
const NEW = 'new';

export class RecentTools {
  readonly #counts = new TurnCounts();

  add(before: readonly SessionCall[], tool: ToolId): void {
    this.#counts.add(placeContexts(before), [placeOf(tool, recentTools(before))]);
  }

  addToSameTurn(before: readonly SessionCall[], tool: ToolId): void {
    this.#counts.addToSameTurn(placeContexts(before), placeOf(tool, recentTools(before)));
  }

  addEnd(before: readonly SessionCall[]): void {
    this.#counts.add(placeContexts(before), []);
  }

  chances(calls: readonly SessionCall[]): ReadonlyMap<ToolId, number> {
    const places = this.#counts.chances(placeContexts(calls));
    const chances = new Map<ToolId, number>();
    recentTools(calls).forEach((tool, at) => {
      const chance = places.get(String(at) as ToolId);
      if (chance !== undefined) chances.set(tool, chance);
    });
    return chances;
  }
}

function recentTools(calls: readonly SessionCall[]): readonly ToolId[] {
  const tools = new Set<ToolId>();
  for (let at = calls.length - 1; at >= 0 && tools.size < MOST_PLACES; at--) {
    tools.add(calls[at]!.tool);
  }
  return [...tools];
}

function placeOf(tool: ToolId, recent: readonly ToolId[]): ToolId {
  const at = recent.indexOf(tool);
  return (at < 0 ? NEW : String(at)) as ToolId;
}

/** Shortest first: how the last turn went, how often its tool was called in a row, what was before. */
function placeContexts(calls: readonly SessionCall[]): readonly string[] {
  const last = calls.at(-1);
  if (!last) return [''];
  const start = calls.findLastIndex((call) => call.tool !== last.tool);
  const turns = new Set(calls.slice(start + 1).map((call) => call.turn)).size;
  const many = calls.filter((call) => call.turn === last.turn).length > 1 ? '*' : '';
  const how = `${last.ok ? '' : '!'}${many}`;
  const wasBefore = calls.slice(0, start + 1).some((call) => call.tool === last.tool);
  return [
    '',
    how || 'ok',
    `${how} ${Math.min(turns, 5)}`,
    `${how} ${Math.min(turns, 5)} ${wasBefore}`,
  ];
}
