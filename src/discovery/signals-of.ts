import { namedSignals, type RankedTool, type Signal } from '../ranking/index.js';

/** What spoke for a tool, by name. */
export function signalsOf({ signals }: RankedTool): Readonly<Record<Signal, number>> {
  return namedSignals(signals);
}
