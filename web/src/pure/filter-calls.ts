/** Live calls that a filter of the daemon would list too. */
import type { ActivityFilter, ActivityRow } from '../../../src/control/contract/activity.js';

export function filterCalls(
  calls: readonly ActivityRow[],
  filter: ActivityFilter,
): readonly ActivityRow[] {
  const words = (filter.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter((call) => {
    if (filter.client && call.client !== filter.client) return false;
    if (filter.tool && call.tool !== filter.tool) return false;
    if (filter.server && call.server !== filter.server) return false;
    if (filter.run && call.run !== filter.run) return false;
    if (filter.way && call.way !== filter.way) return false;
    if (filter.outcome && call.outcome !== filter.outcome) return false;
    const own = `${call.tool} ${call.client} ${call.run ?? ''} ${call.error ?? ''}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
}

/** Each call once, newest first. */
export function mergeCalls(
  live: readonly ActivityRow[],
  listed: readonly ActivityRow[],
): readonly ActivityRow[] {
  const byId = new Map(listed.map((call) => [call.id, call]));
  for (const call of live) byId.set(call.id, call);
  return [...byId.values()].sort((a, b) => placeOf(b) - placeOf(a));
}

const placeOf = ({ id }: ActivityRow): number => Number(id.replace(/\D/g, ''));
