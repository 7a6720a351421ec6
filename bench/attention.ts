/**
 * The model of the first design and its parts against frozen vectors and against learned tool vectors, on public
 * sets with grouped folds: what each configuration ranks first for requests it was not trained on.
 * `--sets A,B`, `--folds N`, `--asked N` requests of a set at most, `--configs A,B`. The configuration
 * `gate`, if named, shows what the gate of discovery says, with labels as they are and shuffled.
 */
import { learnToolVectors, type VectorRequest } from '../src/attention/index.js';
import { fitOnRequests, scorerOf } from '../src/attention/vectors/learn-tool-vectors.js';
import type { ToolId } from '../src/core/index.js';
import { replayIntents } from '../src/discovery/learn/replay.js';
import { VectorLessonTaken, vectorsOf } from '../src/discovery/learn/vector-lesson.js';
import { chooseModel } from '../src/ranking/index.js';
import { DISCOVER_SETS, foldsAt, type ReadySet, readySet, shuffled } from './data/discover-sets.js';
import { requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { differenceOf, figuresOf, meanOf, type Metric } from './data/ranked-figures.js';
import type { RankedRow } from './data/ranked-set.js';
import { vectorStore } from './data/ready-discovery.js';
import { seededRandom } from './data/seeded-random.js';
import { createReport, type Report, type Row } from './report.js';
import { SeedFeatures } from './seed-model/features.js';
import { SEED_CONFIG, type SeedConfig, trainSeedModel } from './seed-model/seed-model.js';

const DEFAULT_SETS = 'metatool,toollinkos,ultratool';
const MOST_ROWS = 900;
const FOLDS = 3;
/** Candidates by frozen vectors: those a model is trained on, and those it ranks. */
const TRAINED_ON = 12;
const RANKED = 30;
const STEPS = 100;
const BATCH = 16;

const SEEDS: Readonly<Record<string, Partial<SeedConfig>>> = {
  'seed K=1': { heads: 1 },
  'seed K=4': {},
  'seed K=8': { heads: 8 },
  'seed K=16': { heads: 16 },
  'seed no messages': { hasMessages: false },
  'seed no replay priority': { alpha: 0 },
  'seed no TD': { hasTd: false },
  'seed no structure': { hasStructure: false },
  'seed no time': { hasTime: false },
  'seed vectors alone': { hasMessages: false, hasStructure: false, hasTime: false },
  'seed ranking loss': { loss: 'ranking', hasTd: false },
};

/** How strongly the loss decides what tool vectors are trained on. */
const VECTORS: Readonly<Record<string, number>> = {
  'vectors α=0': 0,
  'vectors α=0.3': 0.3,
  'vectors α=0.6': 0.6,
  'vectors α=0.9': 0.9,
};

const FROZEN = 'frozen vectors';

type Figures = Readonly<Record<Metric, number>>;
/** Scores of all tools for the vectors of a request; the more, the better. */
type Scorer = (request: VectorRequest) => ArrayLike<number>;

interface Folded {
  readonly train: readonly VectorRequest[];
  /** For each of them, the tools that frozen vectors find first. */
  readonly near: readonly (readonly number[])[];
  readonly tools: readonly Float32Array[];
  readonly frozen: Scorer;
}

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const names = (values['sets'] ?? DEFAULT_SETS).split(',');
  const wanted = values['configs']?.split(',');
  const isWanted = (config: string) => !wanted || wanted.includes(config);
  const most = Number(values['asked'] ?? MOST_ROWS);
  const folds = Number(values['folds'] ?? FOLDS);
  await using store = await vectorStore(values['data']);
  const rows: Row[] = [];
  for (const of of DISCOVER_SETS.filter(({ name }) => names.includes(name))) {
    const ready = await readySet(of, { store, most });
    const found = crossValidated(ready, { folds, isWanted });
    process.stdout.write(`${table(ready, found)}\n`);
    rows.push(...rowsOf(of.name, found));
    if (!wanted?.includes('gate')) continue;
    for (const isShuffled of [false, true]) {
      const why = await gateOf(ready, isShuffled);
      process.stdout.write(
        `${of.name}, labels ${isShuffled ? 'shuffled' : 'as they are'}: ${why}\n`,
      );
    }
  }
  return { ...createReport('attention', rows), text: '' };
}

type Found = ReadonlyMap<string, ReadonlyMap<string, Figures>>;

function crossValidated(
  ready: ReadySet,
  { folds, isWanted }: { readonly folds: number; readonly isWanted: (config: string) => boolean },
): Found {
  const { set, groupOf } = ready;
  const ids = [...set.tools.tools.keys()];
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const { sources } = set.remembering([]);
  const vectors = ids.map((id) => sources.tools!.get(id)!);
  const foldOf = foldsAt(set.rows, { groupOf, count: folds, seed: 1 });
  const found = new Map<string, Map<string, Figures>>();
  for (let fold = 0; fold < folds; fold++) {
    const train = set.rows
      .filter((row) => foldOf(row) !== fold)
      .flatMap((row) => requestsOf(row, rowOf));
    const asked = ready.asked.filter((row) => foldOf(row) === fold);
    const frozen = frozenOf(train, vectors);
    const near = train.map((request) => bestOf(frozen(request), TRAINED_ON));
    const folded = { train, near, tools: vectors, frozen };
    for (const [config, scorer] of configsOf(folded, isWanted)) {
      const own = found.get(config) ?? new Map<string, Figures>();
      found.set(config, own);
      for (const row of asked) own.set(row.row.id, ask(row, { scorer, ids, ready }));
      process.stderr.write(`${ready.name} fold ${fold}: ${config}\n`);
    }
    process.stderr.write(`${table(ready, found)}\n`);
  }
  return found;
}

function requestsOf(row: RankedRow, rowOf: ReadonlyMap<ToolId, number>): readonly VectorRequest[] {
  return row.intents.flatMap((intent) => {
    const right = intent.tools.flatMap((tool) => rowOf.get(tool) ?? []);
    const vectors = vectorsOf(intent);
    return right.length > 0 && vectors.length > 0
      ? [{ vectors, right, fold: 0, isHeldOut: false }]
      : [];
  });
}

function ask(
  row: RankedRow,
  { scorer, ids, ready }: { scorer: Scorer; ids: readonly ToolId[]; ready: ReadySet },
): Figures {
  const scores = scorer({
    vectors: vectorsOf(row.intents[0]!),
    right: [],
    fold: 0,
    isHeldOut: true,
  });
  const ranked = bestOf(scores, ids.length).map((at) => ids[at]!);
  const gold = (row.row.gold ?? []).map((group) =>
    group.flatMap((id) => ready.set.tools.idOf.get(id) ?? []),
  );
  return figuresOf(ranked, gold);
}

function bestOf(scores: ArrayLike<number>, most: number): readonly number[] {
  return Array.from(scores, (_, at) => at)
    .toSorted((one, other) => scores[other]! - scores[one]!)
    .slice(0, most);
}

function taskOf(tools: readonly Float32Array[], alpha?: number) {
  const dimension = tools[0]!.length;
  const flat = new Float32Array(tools.length * dimension);
  tools.forEach((tool, row) => flat.set(tool, row * dimension));
  return { dimension, tools: flat, seed: 1, ...(alpha !== undefined && { alpha }) };
}

/** Vectors as they are, centred as learned ones are. */
function frozenOf(train: readonly VectorRequest[], tools: readonly Float32Array[]): Scorer {
  const task = taskOf(tools);
  const centre = new Float32Array(task.dimension);
  for (const { vectors } of train) {
    vectors[0]!.forEach((value, at) => (centre[at]! += value / train.length));
  }
  const residuals = new Float32Array(task.tools.length);
  const biases = new Float32Array(tools.length);
  const figures = { steps: 0, loss: 0, variation: 0 };
  const score = scorerOf({ residuals, biases, centre, scale: 25, figures }, task);
  return ({ vectors }) => score(vectors);
}

function* configsOf(
  folded: Folded,
  isWanted: (config: string) => boolean,
): Generator<readonly [string, Scorer]> {
  yield [FROZEN, folded.frozen];
  for (const [config, alpha] of Object.entries(VECTORS)) {
    if (!isWanted(config)) continue;
    const task = taskOf(folded.tools, alpha);
    const learned = fitOnRequests(folded.train, task);
    process.stderr.write(`  priorities vary by ${learned.figures.variation.toFixed(2)}\n`);
    const score = scorerOf(learned, task);
    yield [config, ({ vectors }) => score(vectors)];
  }
  for (const [config, changes] of Object.entries(SEEDS)) {
    if (isWanted(config)) yield [config, seedOf(folded, { ...SEED_CONFIG, ...changes })];
  }
}

/** Ranks the likeliest by frozen vectors again; the others stay behind them. */
function seedOf({ train, near, tools, frozen }: Folded, config: SeedConfig): Scorer {
  const features = new SeedFeatures(tools, train, config);
  const examples = train.map((request, at) => {
    const others = near[at]!.filter((tool) => !request.right.includes(tool));
    return features.exampleOf(request, at, [...request.right, ...others]);
  });
  const random = seededRandom(11);
  const { score, variation } = trainSeedModel(examples, config, {
    steps: STEPS,
    batch: BATCH,
    random,
  });
  process.stderr.write(`  priorities vary by ${variation.toFixed(2)}\n`);
  return (request) => {
    const all = Float64Array.from(frozen(request), (one) => one - 1e6);
    const candidates = bestOf(all, RANKED);
    const own = score(features.of(request.vectors[0]!, candidates));
    candidates.forEach((tool, at) => (all[tool] = own[at]!));
    return all;
  };
}

/** What the gate of discovery says of learned vectors with this set as its past. */
async function gateOf({ set, groupOf }: ReadySet, isShuffled: boolean): Promise<string> {
  const rows = isShuffled ? withOtherTools(set.rows, groupOf) : set.rows;
  const { sources, session, traces } = set.remembering(rows);
  const vectors = new VectorLessonTaken({
    train: async (task) => learnToolVectors(task),
    memory: sources.memory,
    tools: sources.tools!,
    space: 'bench',
    hashOf: () => '',
  });
  const pause = async () => {};
  const examples = await replayIntents(sources, { pause, traces, session, vectors });
  const choice = await chooseModel(examples, { pause, tools: set.tools.tools.size });
  if (!vectors.learned) return `${sources.memory.size} requests are too few: vectors stay off`;
  const gate = choice?.gates.find(({ name }) => name === 'vectors');
  return `gate ${gate?.isBetter ? 'open' : 'closed'}: ${gate?.why}`;
}

/** Each row with the tools that served another one. */
function withOtherTools(
  rows: readonly RankedRow[],
  groupOf: (row: RankedRow) => string,
): readonly RankedRow[] {
  const groups = [...new Set(rows.map(groupOf))];
  const others = shuffled(rows, 7);
  return rows.map((row, at) => {
    const tools = others[(at + groups.length) % rows.length]!.intents[0]?.tools ?? [];
    return { ...row, intents: row.intents.map((intent) => ({ ...intent, tools })) };
  });
}

function table(ready: ReadySet, found: Found): string {
  const groups = new Map(ready.asked.map((row) => [row.row.id, ready.groupOf(row)]));
  const base = found.get(FROZEN)!;
  const metrics: readonly Metric[] = ['hit1', 'mrr', 'recall10'];
  const head = `| ${ready.name}, n=${base.size} | ${metrics.join(' | ')} | ${metrics.join(' | ')} |`;
  const lines = Array.from(found, ([config, figures]) => {
    const means = metrics.map((metric) =>
      (100 * meanOf([...figures.values()].map((one) => one[metric]))).toFixed(1),
    );
    const gains = metrics.map((metric) => {
      const { gain, error } = differenceOf(figures, base, metric, (id) => groups.get(id)!);
      return `${gain < 0 ? '−' : '+'}${Math.abs(100 * gain).toFixed(1)} ± ${(196 * error).toFixed(1)}`;
    });
    return `| ${config} | ${[...means, ...gains].join(' | ')} |`;
  });
  return [head, `|---|${'---|'.repeat(2 * metrics.length)}`, ...lines].join('\n');
}

function rowsOf(set: string, found: Found): readonly Row[] {
  return Array.from(found, ([config, figures]) => ({
    name: `${set}: ${config}: hit1`,
    value: 100 * meanOf([...figures.values()].map(({ hit1 }) => hit1)),
    unit: '%',
    n: figures.size,
  }));
}
