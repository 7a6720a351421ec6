import type { ExecutionTrace } from '../../core/index.js';
import { spreadOver } from '../../learning/index.js';
import {
  type RankingSources,
  type Example,
  gatherCandidates,
  type IntentMemory,
  MEMORY_MODEL,
  type PastIntent,
  rankCandidates,
  type SessionKnowledge,
} from '../../ranking/index.js';

/** More past requests than this teach no more and take longer. */
const MOST_REPLAYED = 300;

/** Only the candidates that could be mistaken for right are worth learning from. */
const MOST_CANDIDATES = 250;

/** Parts, each of which is judged by what the others tell of what goes with what. */
const FOLDS = 3;

export interface ReplayOptions {
  readonly pause: () => Promise<void>;
  /** All executions, and what they tell of what goes with what. */
  readonly traces?: Iterable<ExecutionTrace>;
  readonly session?: SessionKnowledge | undefined;
}

/** Asks past requests again, each as if its own group had never been. */
export async function replayIntents(
  sources: RankingSources & { readonly memory: IntentMemory },
  options: ReplayOptions,
): Promise<readonly Example[]> {
  const examples: Example[] = [];
  const intents = spreadOver([...sources.memory.ids()], MOST_REPLAYED).flatMap(
    (id) => sources.memory.get(id) ?? [],
  );
  const sessions = await sessionsOf(intents, options);
  for (const [place, intent] of intents.entries()) {
    const wanted = intent.tools.filter((tool) => sources.index.get(tool)).length;
    if (wanted === 0) continue;
    const session = sessions?.[place % FOLDS];
    const known = session ? { ...sources, session: session.view.bind(session) } : sources;
    examples.push(exampleOf(intent, known, wanted));
    await options.pause();
  }
  return examples;
}

/** For each fold what the executions of the others alone tell; undefined where nobody needs to know. */
async function sessionsOf(
  intents: readonly PastIntent[],
  { pause, traces = [], session }: ReplayOptions,
): Promise<readonly SessionKnowledge[] | undefined> {
  if (!session || intents.every(({ called = [] }) => called.length === 0)) return undefined;
  const sessions: SessionKnowledge[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const own = intents.filter((_, place) => place % FOLDS === fold);
    const groups = new Set(own.map(({ group }) => group));
    sessions.push(
      await session.without(({ id, group }) => groups.has(group ?? id), { traces, pause }),
    );
  }
  return sessions;
}

function exampleOf(intent: PastIntent, sources: RankingSources, wanted: number): Example {
  const { candidates } = gatherCandidates(intent, sources, { withoutGroup: intent.group });
  // They come by what found them, memory last: cut as they are, memory would look useless.
  const shown =
    candidates.length <= MOST_CANDIDATES
      ? candidates
      : rankCandidates(candidates, MEMORY_MODEL).slice(0, MOST_CANDIDATES);
  return {
    group: intent.group,
    candidates: shown.map(({ signals }) => signals),
    isRight: shown.map(({ tool }) => intent.tools.includes(tool.id)),
    wanted,
  };
}
