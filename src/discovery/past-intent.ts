import type { ExecutionTrace } from '../core/index.js';
import { type PastIntent, readable, splitNeeds } from '../ranking/index.js';

/** What the memory keeps of an execution: its request and the tools whose calls worked. */
export function pastIntent(
  { id, intent, calls, group }: ExecutionTrace,
  vectors: ReadonlyMap<string, Float32Array>,
): PastIntent {
  const text = readable(intent);
  return {
    id,
    group: group ?? id,
    ...withVector(text, vectors),
    needs: splitNeeds(intent).map((need) => withVector(need, vectors)),
    tools: [...new Set(calls.filter(({ ok }) => ok).map(({ tool }) => tool))],
  };
}

function withVector(text: string, vectors: ReadonlyMap<string, Float32Array>) {
  const vector = vectors.get(text);
  return vector ? { text, vector } : { text };
}
