import {
  type Evidence,
  type Example,
  gatherSignals,
  type IntentMemory,
  MEMORY_MODEL,
  type PastIntent,
  rank,
} from '../ranking/index.js';

/** More past requests than this teach no more and take longer. */
const MOST_REPLAYED = 300;

/** Only the candidates that could be mistaken for right are worth learning from. */
const MOST_CANDIDATES = 250;

/** Asks past requests again, each as if its own group had never been. */
export async function replayIntents(
  evidence: Evidence & { readonly memory: IntentMemory },
  { pause }: { readonly pause: () => Promise<void> },
): Promise<readonly Example[]> {
  const examples: Example[] = [];
  for (const intent of spread([...evidence.memory.all()])) {
    const known = intent.tools.filter((tool) => evidence.index.get(tool));
    if (known.length === 0) continue;
    examples.push(exampleOf(intent, evidence, known.length));
    await pause();
  }
  return examples;
}

function exampleOf(intent: PastIntent, evidence: Evidence, wanted: number): Example {
  const { candidates } = gatherSignals(intent, evidence, { withoutGroup: intent.group });
  // They come by what found them, memory last: cut as they are, memory would look useless.
  const shown =
    candidates.length <= MOST_CANDIDATES
      ? candidates
      : rank(candidates, MEMORY_MODEL).slice(0, MOST_CANDIDATES);
  return {
    group: intent.group,
    candidates: shown.map(({ signals }) => signals),
    served: shown.map(({ tool }) => intent.tools.includes(tool.id)),
    wanted,
  };
}

/** Evenly over all of the past, and always the same ones. */
function spread(intents: readonly PastIntent[]): readonly PastIntent[] {
  const step = Math.max(1, intents.length / MOST_REPLAYED);
  const count = Math.min(intents.length, MOST_REPLAYED);
  return Array.from({ length: count }, (_, place) => intents[Math.floor(place * step)]!);
}
