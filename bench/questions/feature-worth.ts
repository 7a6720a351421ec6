/** What each trace feature is worth: left out and alone on a store with failures, and the gate on public sets. */
import { type FeatureExample, learnFeatures, TRACE_FEATURES } from '../../src/attention/index.js';
import { replayIntents } from '../../src/discovery/learn/replay.js';
import { computeMetrics, KnowledgeGraph } from '../../src/graph/index.js';
import { chooseModel } from '../../src/ranking/index.js';
import { memberExamples } from '../../src/suggest/learn/learn-plan-features.js';
import { MISLED } from '../../src/suggest/learn/misled.js';
import { DEFAULT_MODELS } from '../../src/suggest/learn/models.js';
import { replayPlans } from '../../src/suggest/learn/replay-plans.js';
import { catalogTool } from '../../test/helpers/catalog-tool.js';
import { failingStore } from '../data/failing-store.js';
import { seededRandom } from '../data/seeded-random.js';
import type { Row } from '../report.js';
import type { HalfWaySet } from './half-way.js';
import { lossRows } from './paired-rows.js';

const STORE = { topics: 48, requestsEach: 5, seed: 11 };
const pause = async () => {};

/** Members of plans on the made-up store. */
export async function featureWorth(): Promise<readonly Row[]> {
  const { examples, misled } = await storeExamples();
  const learn = (some: readonly FeatureExample[]) =>
    learnFeatures(some, { fit: 'odds', misled, pause });
  const all = await learn(examples);
  const rows: Row[] = [...gateRows('made-up store: members F1', all.verdict)];
  for (const [at, name] of TRACE_FEATURES.entries()) {
    const without = await learn(examples.map((one) => keeping(one, (place) => place !== at)));
    const alone = await learn(examples.map((one) => keeping(one, (place) => place === at)));
    const learnedAt = (found: typeof all, place: number) =>
      found.answers[place]?.candidate ?? all.answers[place]!.simpler;
    rows.push(
      ...lossRows(
        `made-up store: ${name}, left out`,
        all.answers.map(({ group, candidate }, place) => {
          return { group, whole: candidate, without: learnedAt(without, place) };
        }),
      ),
      ...lossRows(
        `made-up store: ${name}, alone`,
        all.answers.map(({ group, simpler }, place) => {
          return { group, whole: learnedAt(alone, place), without: simpler };
        }),
      ),
    );
  }
  return rows;
}

/** The gate of features in discovery, on what a public set remembers. */
export async function featureGate({ name, set, memory }: HalfWaySet): Promise<readonly Row[]> {
  const { sources, session, traces } = set.remembering(memory);
  const examples = await replayIntents(sources, { pause, traces, session, tracedAt: 0 });
  const choice = await chooseModel(examples, { pause, tools: set.tools.tools.size });
  const gate = choice?.gates.find((one) => one.name === 'features');
  return gate ? gateRows(`${name}: discovery`, gate) : [];
}

/** What is learned from past requests when features change places between candidates. */
export async function shuffledGate({ name, set, memory }: HalfWaySet): Promise<readonly Row[]> {
  const { sources, session, traces } = set.remembering(memory);
  const examples = await replayIntents(sources, { pause, traces, session, tracedAt: 0 });
  const random = seededRandom(3);
  const shuffled = examples.map((one) => ({
    ...one,
    features: one.features!.toSorted(() => random() - 0.5),
  }));
  const choice = await chooseModel(shuffled, { pause, tools: set.tools.tools.size });
  const gate = choice?.gates.find((one) => one.name === 'features');
  return gate ? gateRows(`${name}: discovery, features shuffled`, gate) : [];
}

function gateRows(
  name: string,
  verdict: { isBetter: boolean; gain: number; error: number; answers: number },
): readonly Row[] {
  const row = { unit: 'points', n: verdict.answers };
  return [
    { ...row, name: `${name}: gain of features`, value: 100 * verdict.gain },
    { ...row, name: `${name}: its error`, value: 100 * verdict.error },
    { ...row, name: `${name}: gate open`, value: verdict.isBetter ? 1 : 0, unit: '' },
  ];
}

async function storeExamples(): Promise<{
  readonly examples: readonly FeatureExample[];
  readonly misled: (draw: number) => readonly (readonly boolean[])[];
}> {
  const store = failingStore(STORE);
  const random = seededRandom(5);
  const metrics = computeMetrics(new KnowledgeGraph());
  const examples = await replayPlans(store.traces, {
    toolOf: (tool) => catalogTool(tool),
    serverTools: () => [],
    plannable: () => new Map(),
    metrics: () => metrics,
    now: () => store.traces.at(-1)!.at.getTime(),
    pause,
    weighAgain: (id) => {
      const topic = store.topicOf(id);
      const likely = [
        ...store.rivalsOf(topic).map((tool) => ({ tool, probability: 0.4 + 0.1 * random() })),
        { tool: store.saveOf(topic), probability: 0.8 },
      ].toSorted((one, other) => other.probability - one.probability);
      return { likely, similar: [], trust: 0.5 };
    },
  });
  return {
    examples: await memberExamples(examples, () => DEFAULT_MODELS.members, pause),
    misled: (draw) => MISLED.members(examples, draw).map(({ members }) => members.isRight),
  };
}

function keeping(example: FeatureExample, isKept: (place: number) => boolean): FeatureExample {
  const features = example.features.map((values) =>
    values.map((value, place) => (isKept(place) ? value : 0)),
  );
  return { ...example, features };
}
