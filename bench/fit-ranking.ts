/**
 * Fits the weights that ship, and shows every set with weights that never saw it. Sets recorded from
 * agents at real servers are never fitted on. `--sets A,B`, `--asked N` requests of a set at most.
 */
import { type ChoiceExample, fitChoice, mean, qualityOf } from '../src/learning/index.js';
import {
  COLD_MODEL,
  gatherCandidates,
  MEMORY_MODEL,
  type Signal,
  SIGNALS,
} from '../src/ranking/index.js';
import {
  DISCOVER_SETS,
  type DiscoverSet,
  foldsAt,
  readySet,
  spread,
} from './data/discover-sets.js';
import { requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { vectorStore } from './data/ready-discovery.js';
import { createReport, type Report, type Row } from './report.js';

const FOLDS = 5;
const MOST_ROWS = 1_500;
const MOST_ASKED = 120;
/** The likeliest are enough to learn from. */
const MOST_CANDIDATES = 40;
/** As if so large a share of all requests spoke for weights of 0. */
const HELD = 0.02;

const COLD: readonly Signal[] = [
  'words',
  'coverage',
  'needWords',
  'meaning',
  'needMeaning',
  'needsMeaning',
  'server',
];
const MEMORY: readonly Signal[] = [
  'vote',
  'sureVote',
  'near',
  'pastWords',
  'uses',
  'serverVote',
  'serverUses',
  'needVote',
  'needLift',
  'company',
];

interface Measured extends DiscoverSet {
  readonly examples: readonly (ChoiceExample & { readonly wanted: number })[];
}

const pause = async () => {};

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const asked = Number(values['asked'] ?? MOST_ASKED);
  await using store = await vectorStore(values['data']);
  const sets: Measured[] = [];
  for (const one of DISCOVER_SETS.filter(({ name }) => !wanted || wanted.includes(name))) {
    const ready = await readySet(one, { store, most: MOST_ROWS });
    const { set, groupOf } = ready;
    const foldOf = foldsAt(set.rows, { groupOf, count: FOLDS, seed: 1 });
    const questions = spread(ready.asked, asked);
    const examples = Array.from({ length: FOLDS }, (_, fold) => {
      const memory = one.hasMemory === false ? [] : set.rows.filter((row) => foldOf(row) !== fold);
      const { sources } = set.remembering(memory);
      return questions
        .filter((row) => foldOf(row) === fold)
        .map(({ row, intents: [intent] }) => {
          const gold = new Set(row.gold!.flat().map((id) => set.tools.idOf.get(id)));
          const { called: _called, ...question } = intent!;
          const { candidates } = gatherCandidates(question, sources);
          return {
            candidates: candidates.map(({ signals }) => signals),
            isRight: candidates.map(({ tool }) => gold.has(tool.id)),
            // Alternatives are found one by one here.
            wanted: Math.max(
              row.gold!.length,
              candidates.filter(({ tool }) => gold.has(tool.id)).length,
            ),
          };
        });
    }).flat();
    sets.push({ ...one, examples });
    process.stderr.write(`${one.name}: ${examples.length} requests\n`);
  }
  return await report(sets);
}

async function report(sets: readonly Measured[]): Promise<Report> {
  const rows: Row[] = [];
  const shipped = await fitAll(sets.filter(({ isReal }) => !isReal));
  for (const [name, weights] of Object.entries(shipped)) {
    for (const signal of name === 'cold' ? COLD : MEMORY) {
      rows.push({ name: `${name}: ${signal}`, value: weights[SIGNALS.indexOf(signal)]!, unit: '' });
    }
  }
  for (const one of sets) {
    const others = sets.filter(({ isReal, name }) => !isReal && name !== one.name);
    const { cold, memory } = await fitAll(others);
    const ways = {
      cold,
      memory,
      'cold as shipped': COLD_MODEL.weights,
      'memory as shipped': MEMORY_MODEL.weights,
    };
    for (const [way, weights] of Object.entries(ways)) {
      const judged = one.examples.map((example) => qualityOf(example, weights));
      for (const figure of ['first', 'reciprocal', 'recall'] as const) {
        rows.push({
          name: `${one.name}: ${way}: ${figure}`,
          value: 100 * mean(judged.map((own) => own[figure])),
          unit: '%',
          n: judged.length,
        });
      }
    }
  }
  return createReport('fit-ranking', rows);
}

/** First what words and meaning say, then, beside that, what memory adds. */
async function fitAll(sets: readonly Measured[]) {
  const none = new Float64Array(SIGNALS.length);
  const cold = await fit(sets, none, COLD);
  const memory = await fit(
    sets.filter(({ hasMemory = true }) => hasMemory),
    cold,
    MEMORY,
  );
  return { cold, memory };
}

function fit(sets: readonly Measured[], prior: Float64Array, signals: readonly Signal[]) {
  const examples = sets.flatMap((one) => one.examples.map(likeliest));
  return fitChoice(examples, {
    prior,
    pause,
    isFixed: (at) => !signals.includes(SIGNALS[at]!),
    priorExamples: HELD * examples.length,
  });
}

function likeliest({ candidates, isRight }: ChoiceExample): ChoiceExample {
  const scores = candidates.map((values) =>
    values.reduce((sum, value, at) => sum + value * MEMORY_MODEL.weights[at]!, 0),
  );
  const least = scores.toSorted((one, other) => other - one)[MOST_CANDIDATES - 1] ?? -Infinity;
  const isKept = scores.map((score, at) => score >= least || isRight[at] === true);
  return {
    candidates: candidates.filter((_, at) => isKept[at]),
    isRight: isRight.filter((_, at) => isKept[at]),
  };
}
