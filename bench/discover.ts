/**
 * What each part of discovery is worth on public data sets. Every request is asked with the
 * requests of the other folds as memory. Near-duplicates share a fold, and all learning happens
 * inside the folds. Sets recorded from agents at real servers are folded repeatedly.
 * `--sets A,B`, `--repeats N` for those, `--asked N` requests of a set at most, `--resamples N`.
 */
import { learnToolVectors, VectorScorer } from '../src/attention/index.js';
import { replayIntents } from '../src/discovery/learn/replay.js';
import {
  LEAST_FOR_VECTORS,
  VectorLessonTaken,
  vectorsOf,
} from '../src/discovery/learn/vector-lesson.js';
import {
  type Choice,
  chooseModel,
  type ChooseOptions,
  COLD_MODEL,
  gatherCandidates,
  MEMORY_MODEL,
  type Model,
  rankCandidates,
  signalValues,
} from '../src/ranking/index.js';
import {
  DISCOVER_SETS,
  foldsAt,
  type ReadySet,
  readySet,
  shuffled,
  spread,
} from './data/discover-sets.js';
import { requireKit } from './data/kit.js';
import { knnShares, knnVotes } from './data/knn-memory.js';
import type { BenchOptions } from './data/options.js';
import { differenceOf, figuresOf, meanOf, type Metric, METRICS } from './data/ranked-figures.js';
import type { RankedRow, RankedSet } from './data/ranked-set.js';
import { vectorStore } from './data/ready-discovery.js';
import { timeOrdered } from './data/time-ordered.js';
import { createReport, type Report, type Row } from './report.js';

const FOLDS = 5;
const REPEATS = 10;
const MOST_ROWS = 3_000;
const MOST_ASKED = 300;
/** Memories of the size a user has after a while. */
const RESAMPLES = 100;
const LEAST_REMEMBERED = 50;
const MOST_REMEMBERED = 150;

const PARTS = {
  'words (BM25)': { weights: signalValues({ coverage: 1 }) },
  'meaning (vectors)': { weights: signalValues({ meaning: 1 }) },
  cold: COLD_MODEL,
  memory: MEMORY_MODEL,
} satisfies Record<string, Model>;
const FULL = 'full (chosen, gated)';
const WITHOUT_VECTORS = 'full without learned vectors';

/** What each part found, request by request, over all repetitions. */
type Found = Map<string, Map<string, Record<Metric, number>[]>>;

const pause = async () => {};

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const sets = DISCOVER_SETS.filter(({ name }) => !wanted || wanted.includes(name));
  const repeats = Number(values['repeats'] ?? REPEATS);
  const asked = Number(values['asked'] ?? MOST_ASKED);
  const resamples = Number(values['resamples'] ?? RESAMPLES);
  await using store = await vectorStore(values['data']);
  const rows: Row[] = [];
  for (const one of sets) {
    const began = Date.now();
    const ready = await readySet(one, { store, most: MOST_ROWS });
    const times = one.isReal ? repeats : 1;
    const found = await crossValidate(ready, { times, asked });
    print(showSet(one.name, found, ready));
    rows.push(...rowsOf(one.name, found));
    if (one.isReal) {
      if (resamples > 0) print(await resample(ready, resamples));
      print(showOrdered(ready));
    }
    process.stderr.write(`${one.name} done in ${Math.round((Date.now() - began) / 1_000)} s\n`);
  }
  return { ...createReport('discover', rows), text: '' };
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Each repetition asks every request once, with the requests of the other folds as memory. */
async function crossValidate(
  ready: ReadySet,
  { times, asked }: { readonly times: number; readonly asked: number },
): Promise<Found> {
  const { set, groupOf, hasMemory = true } = ready;
  const questions = new Set(spread(ready.asked, asked));
  const found: Found = new Map();
  for (let seed = 1; seed <= times; seed++) {
    const foldOf = foldsAt(set.rows, { groupOf, count: FOLDS, seed });
    for (let fold = 0; fold < FOLDS; fold++) {
      const memory = hasMemory ? set.rows.filter((row) => foldOf(row) !== fold) : [];
      const own = [...questions].filter((row) => foldOf(row) === fold);
      await ask(ready, { memory, questions: own, found });
    }
  }
  return found;
}

interface Asking {
  readonly memory: readonly RankedRow[];
  readonly questions: readonly RankedRow[];
  readonly found: Found;
}

/** Replays the past, chooses a ranking and answers, like discovery. Returns the choice. */
async function ask({ set }: ReadySet, { memory, questions, found }: Asking): Promise<string> {
  const { sources, session, traces } = set.remembering(memory);
  const options = { pause, tools: set.tools.tools.size };
  const simpler = await chooseModel(
    await replayIntents(sources, { pause, traces, session }),
    options,
  );
  const { choice = simpler, scorer } = (await withVectors(set, { memory, options })) ?? {};
  const past = memory.flatMap(({ intents }) => intents);
  for (const row of questions) {
    const { called: _called, ...question } = row.intents[0]!;
    const trained = () => scorer!.score(vectorsOf(question), sources.tools!);
    const { candidates } = gatherCandidates(question, { ...sources, ...(scorer && { trained }) });
    const by = (model: Model) => rankCandidates(candidates, model).map(({ tool }) => tool.id);
    const ranked = {
      ...Object.fromEntries(Object.entries(PARTS).map(([part, model]) => [part, by(model)])),
      'kNN votes': knnVotes(question, past, sources),
      'kNN + cosine': knnShares(question, past, sources),
      [WITHOUT_VECTORS]: by(simpler?.model ?? MEMORY_MODEL),
      [FULL]: by(choice?.model ?? MEMORY_MODEL),
    };
    const gold = (row.row.gold ?? []).map((group) =>
      group.flatMap((id) => set.tools.idOf.get(id) ?? []),
    );
    for (const [part, ids] of Object.entries(ranked)) {
      const own = found.get(part) ?? new Map<string, Record<Metric, number>[]>();
      found.set(part, own);
      own.set(row.row.id, [...(own.get(row.row.id) ?? []), figuresOf(ids, gold)]);
    }
  }
  return choice?.kind ?? 'memory';
}

interface ChosenWithVectors {
  readonly choice: Choice;
  readonly scorer: VectorScorer;
}

/** What discovery chooses once there is enough experience to learn vectors of tools from. */
async function withVectors(
  set: RankedSet,
  { memory, options }: { readonly memory: readonly RankedRow[]; readonly options: ChooseOptions },
): Promise<ChosenWithVectors | undefined> {
  const { sources, session, traces } = set.remembering(memory);
  if (sources.memory.size < LEAST_FOR_VECTORS) return undefined;
  const vectors = new VectorLessonTaken({
    train: async (task) => learnToolVectors(task),
    memory: sources.memory,
    tools: sources.tools!,
    space: 'bench',
    hashOf: () => '',
  });
  const examples = await replayIntents(sources, { pause, traces, session, vectors });
  const choice = await chooseModel(examples, options);
  if (!vectors.learned || !choice) return undefined;
  const gate = choice.gates.find(({ name }) => name === 'vectors');
  process.stderr.write(`  learned vectors: ${gate?.why}\n`);
  return { choice, scorer: new VectorScorer(vectors.learned) };
}

/** How often the choice does harm with random memories of 50 to 150 requests. */
async function resample(ready: ReadySet, times: number): Promise<string> {
  const { set, groupOf, name } = ready;
  let harmless = 0;
  const kinds = new Map<string, number>();
  const gains: number[] = [];
  for (let seed = 1; seed <= times; seed++) {
    const size = LEAST_REMEMBERED + ((seed * 37) % (MOST_REMEMBERED - LEAST_REMEMBERED + 1));
    const groups = shuffled([...new Set(set.rows.map(groupOf))], 1_000 + seed);
    // A fifth of the groups is always held out for asking.
    const taken = new Set<string>();
    let remembered = 0;
    for (const group of groups.slice(0, Math.floor(groups.length * 0.8))) {
      if (remembered >= size) break;
      taken.add(group);
      for (const row of set.rows) if (groupOf(row) === group) remembered += row.intents.length;
    }
    const memory = set.rows.filter((row) => taken.has(groupOf(row)));
    const questions = ready.asked.filter((row) => !taken.has(groupOf(row)));
    const found: Found = new Map();
    const kind = await ask(ready, { memory, questions, found });
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { gain, error } = differenceOf(
      meansOf(found, FULL),
      meansOf(found, 'cold'),
      'mrr',
      (id) => id,
    );
    gains.push(gain);
    if (gain >= -0.01 || gain + 1.645 * error >= 0) harmless += 1;
  }
  const below = gains.filter((gain) => gain < -0.01).length;
  const chosen = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return (
    `${name}: ${times} memories of ${LEAST_REMEMBERED}–${MOST_REMEMBERED} requests: right or harmless ${harmless}` +
    ` (more than a point of MRR below cold: ${below}); mean gain ${(100 * meanOf(gains)).toFixed(1)} points of MRR; chosen: ${chosen}`
  );
}

function meansOf(found: Found, part: string): ReadonlyMap<string, Record<Metric, number>> {
  return new Map(
    Array.from(found.get(part)!, ([id, times]) => [
      id,
      Object.fromEntries(
        METRICS.map((metric) => [metric, meanOf(times.map((one) => one[metric]))]),
      ) as Record<Metric, number>,
    ]),
  );
}

function showSet(name: string, found: Found, ready: ReadySet): string {
  const groups = new Map(ready.asked.map((row) => [row.row.id, ready.groupOf(row)]));
  const groupOf = (id: string) => groups.get(id)!;
  const parts = [...found.keys()].map((part) => ({ part, means: meansOf(found, part) }));
  const full = meansOf(found, FULL);
  const head = `${`${name} (n=${full.size})`.padEnd(36)}${METRICS.map((metric) => metric.padStart(14)).join('')}`;
  const lines = parts.map(({ part, means }) => {
    const cells = METRICS.map((metric) => {
      const values = [...means.values()].map((one) => one[metric]);
      const none = new Map(Array.from(means.keys(), (id) => [id, ZERO] as const));
      const { error } = differenceOf(means, none, metric, groupOf);
      return `${(100 * meanOf(values)).toFixed(1)} ±${(196 * error).toFixed(1)}`.padStart(14);
    });
    return `  ${part.padEnd(34)}${cells.join('')}`;
  });
  const against = parts
    .filter(({ part }) => part !== FULL)
    .map(({ part, means }) => {
      const cells = METRICS.map((metric) => {
        const { gain, error } = differenceOf(full, means, metric, groupOf);
        return `${gain < 0 ? '' : '+'}${(100 * gain).toFixed(1)} ±${(196 * error).toFixed(1)}`.padStart(
          14,
        );
      });
      return `  ${`full against ${part}`.padEnd(34)}${cells.join('')}`;
    });
  return [head, ...lines, ...against].join('\n');
}

const ZERO = Object.fromEntries(METRICS.map((metric) => [metric, 0])) as Record<Metric, number>;

function showOrdered(ready: ReadySet): string {
  const lines = timeOrdered(ready).map(
    ({ what, count, without, with: own }) =>
      `  ${what.padEnd(8)} n=${count}: Hit@1 ${(100 * without.first).toFixed(1)} → ${(100 * own.first).toFixed(1)}, MRR ${(100 * without.reciprocal).toFixed(1)} → ${(100 * own.reciprocal).toFixed(1)}`,
  );
  return [
    `${ready.name}, in the order of time, without memory → with the memory that ships:`,
    ...lines,
  ].join('\n');
}

function rowsOf(set: string, found: Found): readonly Row[] {
  return [...found.keys()].flatMap((part) => {
    const means = [...meansOf(found, part).values()];
    return METRICS.map((metric) => ({
      name: `${set}: ${part}: ${metric}`,
      value: 100 * meanOf(means.map((one) => one[metric])),
      unit: '%',
      n: means.length,
    }));
  });
}
