import { FeatureMemory, NO_FEATURES } from '../../attention/index.js';
import { type ExecutionTrace, seededRandom, type ToolId } from '../../core/index.js';
import { CONTROLS, spreadOver } from '../../learning/index.js';
import {
  type RankingSources,
  type Example,
  gatherCandidates,
  type IntentMemory,
  MEMORY_MODEL,
  type PastIntent,
  rankCandidates,
  type SessionKnowledge,
  type TraceSource,
} from '../../ranking/index.js';
import { type NearRequests, nearRequests } from './near-requests.js';

/**
 * More past requests than this teach no more and take longer. Fewer cannot tell a gain of a point from
 * chance: with 300, learned weights that help on UltraTool stay off.
 */
const MOST_REPLAYED = 900;

/** So many other requests are drawn for an answer of theirs. */
const MOST_OTHERS = 30;
const SEED = 1;

/** Only the candidates that could be mistaken for right are worth learning from. */
const MOST_CANDIDATES = 250;

/** Parts, each of which is judged by what the others show to go together. */
const FOLDS = 3;

export interface ReplayOptions {
  readonly pause: () => Promise<void>;
  /** All executions, and what they show to go together. */
  readonly traces?: Iterable<ExecutionTrace>;
  readonly session?: SessionKnowledge | undefined;
  /** The time of now, where trace features are wanted; milliseconds since 1970. */
  readonly tracedAt?: number;
  /** Learns vectors of tools, for each of these requests without the requests near to it. */
  readonly vectors?: HeldOutVectors | undefined;
}

/** What learned vectors say of requests that they were not learned from. */
export interface HeldOutVectors {
  learn(intents: readonly PastIntent[], near: NearRequests): Promise<void>;
  /** Undefined where nothing was learned for this request. */
  of(id: string): ((tool: ToolId) => number) | undefined;
}

/** Replays past requests, each as if no nearly equal request had ever been made. */
export async function replayIntents(
  sources: RankingSources & { readonly memory: IntentMemory },
  options: ReplayOptions,
): Promise<readonly Example[]> {
  const examples: Example[] = [];
  const intents = spreadOver([...sources.memory.ids()], MOST_REPLAYED).flatMap(
    (id) => sources.memory.get(id) ?? [],
  );
  const near = await nearRequests(sources.memory, intents, options);
  await options.vectors?.learn(intents, near);
  const sessions = await sessionsOf(intents, near, options);
  const traces = await tracesOf(intents, near, options);
  const parts = Array.from({ length: FOLDS }, (_, fold) =>
    intents.filter((_intent, place) => place % FOLDS === fold),
  );
  const random = seededRandom(SEED);
  for (const [place, intent] of intents.entries()) {
    const wanted = intent.tools.filter((tool) => sources.index.get(tool)).length;
    if (wanted === 0) continue;
    const session = sessions?.[place % FOLDS];
    const trained = options.vectors?.of(intent.id);
    const known = {
      ...sources,
      ...(session && { session: session.view.bind(session) }),
      ...(traces && { traces: traces[place % FOLDS]! }),
      // Vectors in use were learned from this very request.
      trained: trained && (() => trained),
    };
    const others = Array.from({ length: CONTROLS }, () =>
      drawOthers(intent, parts[place % FOLDS]!, near, random),
    );
    const { pause } = options;
    examples.push(await exampleOf(intent, known, { wanted, near, others, pause }));
    await options.pause();
  }
  return examples;
}

/**
 * For each fold, the knowledge from executions of the other folds; undefined if no signal needs it.
 */
async function sessionsOf(
  intents: readonly PastIntent[],
  { groupOf }: NearRequests,
  { pause, traces = [], session }: ReplayOptions,
): Promise<readonly SessionKnowledge[] | undefined> {
  if (!session || intents.every(({ called = [] }) => called.length === 0)) return undefined;
  return inFolds(intents, groupOf, (isIn) => session.without(isIn, { traces, pause }));
}

/** The same of trace features. */
async function tracesOf(
  intents: readonly PastIntent[],
  { groupOf }: NearRequests,
  { pause, traces = [], tracedAt }: ReplayOptions,
): Promise<readonly TraceSource[] | undefined> {
  if (tracedAt === undefined) return undefined;
  return inFolds(intents, groupOf, async (isIn) => {
    return { memory: await FeatureMemory.without(isIn, { traces, pause }), now: tracedAt };
  });
}

/** Something for each fold, made without the executions of its groups. */
async function inFolds<Known>(
  intents: readonly PastIntent[],
  groupOf: NearRequests['groupOf'],
  make: (isIn: (trace: ExecutionTrace) => boolean) => Promise<Known>,
): Promise<readonly Known[]> {
  const all: Known[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const own = intents.filter((_, place) => place % FOLDS === fold);
    const groups = new Set(own.map(({ group }) => groupOf(group)));
    all.push(await make(({ id, group }) => groups.has(groupOf(group ?? id))));
  }
  return all;
}

/**
 * Requests of other groups, at random. The answer of the first whose tools could have been meant is what
 * control weights learn from. It may be the right answer, too: else the right answer would be taught as
 * wrong. They are of the same fold: its executions are left out of trace features, so a rare tool that
 * served one of its requests looks unused, whether it is the answer or not.
 */
function drawOthers(
  { group: own }: PastIntent,
  part: readonly PastIntent[],
  { groupOf }: NearRequests,
  random: () => number,
): readonly PastIntent[] {
  const drawn = Array.from(
    { length: MOST_OTHERS },
    () => part[Math.floor(random() * part.length)]!,
  );
  return drawn.filter(({ group }) => groupOf(group) !== groupOf(own));
}

interface ExampleOptions {
  readonly wanted: number;
  readonly near: NearRequests;
  /** For each control, requests that have nothing to do with this one. */
  readonly others: readonly (readonly PastIntent[])[];
  readonly pause: () => Promise<void>;
}

async function exampleOf(
  intent: PastIntent,
  sources: RankingSources,
  { wanted, near, others, pause }: ExampleOptions,
): Promise<Example> {
  const together = near.togetherWith(intent);
  const found = askedAgain(intent, sources, { without: together, others });
  const group = near.groupOf(intent.group);
  if (!near.isRepeat(intent)) return { ...found, group, wanted };
  await pause();
  // The state at the time of the request: later requests that are nearly the same do not count.
  const later = together.slice(together.indexOf(intent.id));
  return {
    ...found,
    group,
    wanted,
    repeat: { ...askedAgain(intent, sources, { without: later }), wanted },
  };
}

interface AskedOptions {
  readonly without: readonly string[];
  readonly others?: ExampleOptions['others'];
}

function askedAgain(
  intent: PastIntent,
  sources: RankingSources,
  { without, others = [] }: AskedOptions,
): Pick<Example, 'candidates' | 'isRight' | 'servedOthers' | 'features'> {
  const { candidates } = gatherCandidates(intent, sources, { without });
  // They come by what found them, memory last: cut as they are, memory would look useless.
  const shown =
    candidates.length <= MOST_CANDIDATES
      ? candidates
      : rankCandidates(candidates, MEMORY_MODEL).slice(0, MOST_CANDIDATES);
  const ids = new Set(shown.map(({ tool }) => tool.id));
  const servedBy = (tools: readonly ToolId[] = []) =>
    shown.map(({ tool }) => tools.includes(tool.id));
  const servedOthers = others.map((drawn) =>
    servedBy(drawn.find(({ tools }) => tools.some((tool) => ids.has(tool)))?.tools),
  );
  return {
    candidates: shown.map(({ signals }) => signals),
    isRight: servedBy(intent.tools),
    servedOthers,
    ...(sources.traces && { features: shown.map(({ features }) => features ?? NO_FEATURES) }),
  };
}
