import type { EarlierCall, ExecutionTrace, ToolId } from '../../core/index.js';
import type { PastIntent } from '../../ranking/index.js';
import { askedText, splitNeeds } from '../../words/index.js';

/** What the memory keeps of an execution: its request and the tools whose calls worked. */
export function pastIntent(
  { id, intent, calls, group, before }: ExecutionTrace,
  vectors: ReadonlyMap<string, Float32Array>,
): PastIntent {
  const text = askedText(intent);
  return {
    id,
    group: group ?? id,
    ...withVector(text, vectors),
    needs: splitNeeds(intent).map((need) => withVector(need, vectors)),
    tools: [...new Set(calls.filter(({ ok }) => ok).map(({ tool }) => tool))],
    ...(before && { called: workedOf(before) }),
  };
}

/** What worked of some calls: what failed says nothing of what goes with it. */
export function workedOf(calls: readonly EarlierCall[]): readonly ToolId[] {
  return calls.filter(({ ok }) => ok).map(({ tool }) => tool);
}

function withVector(text: string, vectors: ReadonlyMap<string, Float32Array>) {
  const vector = vectors.get(text);
  return vector ? { text, vector } : { text };
}
