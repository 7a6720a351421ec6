import type { ToolId } from '../core/index.js';
import { changesAskedBy, changesNamedBy } from '../planner/index.js';
import type { Evidence } from './evidence.js';
import { isJust } from './past/past-plan.js';

/** A plan with another kind of change may do the same under another name. */
const OTHER_CHANGE = 0.2;

/**
 * How much of the requested change no tool of the plan makes: 0 if nothing is missing, 1 if the request
 * asks for a change and all tools only read. Similar runs with the same requested change and exactly
 * these tools lower the value: they show that the tools make the change under another name.
 */
export function undoneShare(
  tools: ReadonlySet<ToolId>,
  { intent, similar, repeated }: Pick<Evidence, 'intent' | 'similar' | 'repeated'>,
): number {
  const asked = changesAskedBy(intent).clear;
  if (asked.size === 0 || repeated?.likeness === 1) return 0;
  const done = new Set([...tools].flatMap((tool) => [...changesNamedBy(tool)]));
  const missing = [...asked].filter((kind) => !done.has(kind));
  if (missing.length === 0) return 0;
  let excused = 0;
  for (const { plan, share } of similar) {
    if (!isJust(tools, plan.tools)) continue;
    const before = changesAskedBy(plan.intent).clear;
    if (missing.every((kind) => before.has(kind))) excused += share;
  }
  const weight = done.size > 0 ? OTHER_CHANGE : 1;
  return weight * (missing.length / asked.size) * Math.max(0, 1 - excused);
}
