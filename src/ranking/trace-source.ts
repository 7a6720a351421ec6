import { type FeatureMemory, type FeatureValues, traceFeatures } from '../attention/index.js';
import type { ToolId } from '../core/index.js';
import type { IntentMemory } from './memory/intent-memory.js';
import type { SimilarIntent } from './memory/recall.js';

/** What traces show about tools, beside what past requests say. */
export interface TraceSource {
  readonly memory: FeatureMemory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface Asked {
  readonly called: readonly ToolId[];
  readonly similar: readonly SimilarIntent[];
  readonly requests: IntentMemory | undefined;
}

/** The trace features of tools for a question. */
export function featuresFor(
  { memory, now }: TraceSource,
  { called, similar, requests }: Asked,
): (tool: ToolId) => FeatureValues {
  return traceFeatures(memory, {
    around: called.map((tool) => ({ tool, weight: 1 })),
    similar: similar.map(({ id, share }) => ({
      id,
      share,
      worked: requests?.get(id)?.tools ?? [],
    })),
    now,
  });
}
