/**
 * Fits what scores of discovery mean as probabilities, over catalogs of 25 to 3,000 tools, with no past,
 * a short one and a long one, and requests that no tool serves. Every set is shown with a fit that never
 * saw it, beside what ships. Sets recorded from agents at real servers are never fitted on. `--sets A,B`.
 */
import { outcomesOf } from '../src/learning/calibrate.js';
import {
  type Calibration,
  type ChoiceExample,
  type Claim,
  fitOdds,
  mean,
  probabilityOf,
  reliabilityCurve,
  sigmoid,
  weigh,
} from '../src/learning/index.js';
import { defaultCalibration, MEMORY_MODEL } from '../src/ranking/index.js';
import { DISCOVER_SETS, readySet } from './data/discover-sets.js';
import { requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { vectorStore } from './data/ready-discovery.js';
import { sampleCatalogs, type SampledRequest } from './data/sampled-catalogs.js';
import { createReport, type Report, type Row } from './report.js';

const SIZES = [25, 80, 250, 800, 3_000];
const REMEMBERED = [0, 10, 60, 1_000];
const MOST_ROWS = 1_500;
/** As if so large a share of all requests spoke for nothing at all. */
const HELD = 0.001;
/** Between these numbers of tools the calibration changes with their logarithm. */
const FEW = 100;
const MANY = 1_000;

interface Sample extends ChoiceExample {
  readonly of: SampledRequest;
}

const pause = async () => {};

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',');
  const sets = DISCOVER_SETS.filter(({ name }) => !wanted || wanted.includes(name));
  await using store = await vectorStore(values['data']);
  const samples: Sample[] = [];
  for (const [seed, one] of sets.entries()) {
    const ready = await readySet(one, { store, most: MOST_ROWS });
    const sampled = await sampleCatalogs(ready, {
      store,
      sizes: SIZES,
      remembered: REMEMBERED,
      seed,
    });
    samples.push(...sampled.map(sampleOf));
    process.stderr.write(`${one.name}: ${sampled.length} requests\n`);
  }
  const rows: Row[] = [];
  for (const byMeaning of [true, false]) {
    const some = samples.filter(({ of }) => of.byMeaning === byMeaning);
    rows.push(...(await rowsFor(byMeaning ? 'by meaning' : 'by words', some)));
  }
  return createReport('fit-chances', rows);
}

/** What the odds of a shown candidate are made of: how it scores, leads, and among how many tools. */
function sampleOf(of: SampledRequest): Sample {
  const way = Math.log(of.tools / FEW) / Math.log(MANY / FEW);
  const outcomes = outcomesOf(of, MEMORY_MODEL.weights);
  return {
    of,
    candidates: outcomes.map(({ score, rival }) => {
      const lead = score - rival;
      return Float64Array.from([1, score, lead, way, way * score, way * lead]);
    }),
    isRight: outcomes.map(({ isRight }) => isRight),
  };
}

const REAL = new Set(DISCOVER_SETS.filter(({ isReal }) => isReal).map(({ name }) => name));

async function rowsFor(how: string, samples: readonly Sample[]): Promise<readonly Row[]> {
  const fittable = samples.filter(({ of }) => !REAL.has(of.set));
  const all = await fit(fittable);
  const rows: Row[] = [];
  for (const [tools, way] of [
    [FEW, 0],
    [MANY, 1],
  ] as const) {
    const { bias, score, lead } = calibrationAt(all, way);
    for (const [part, value] of Object.entries({ bias, score, lead })) {
      rows.push({ name: `${how}: ${tools} tools: ${part}`, value, unit: '' });
    }
  }
  for (const set of new Set(samples.map(({ of }) => of.set))) {
    const own = samples.filter(({ of }) => of.set === set);
    const weights = await fit(fittable.filter(({ of }) => of.set !== set));
    const never = own.flatMap((one) =>
      one.candidates.map((values, at) => ({
        confidence: sigmoid(weigh(values, weights)),
        isRight: one.isRight[at]!,
      })),
    );
    const shipped = own.flatMap((one) =>
      one.candidates.map((values, at) => {
        const [, score = 0, lead = 0] = values;
        const { tools, byMeaning } = one.of;
        const confidence = probabilityOf(score, score - lead, defaultCalibration(tools, byMeaning));
        return { confidence, isRight: one.isRight[at]! };
      }),
    );
    rows.push(...figures(`${how}: ${set}: never saw it`, never));
    rows.push(...figures(`${how}: ${set}: as shipped`, shipped));
  }
  return rows;
}

function fit(samples: readonly Sample[]): Promise<Float64Array> {
  // Each candidate is an example of its own, so that all of them count the same.
  const each = samples.flatMap(({ candidates, isRight }) =>
    candidates.map((values, at) => ({ candidates: [values], isRight: [isRight[at]!] })),
  );
  return fitOdds(each, {
    prior: new Float64Array(6),
    pause,
    priorExamples: HELD * each.length,
  });
}

function calibrationAt(weights: Float64Array, way: number): Calibration {
  const at = (place: number) => weights[place]! + way * weights[place + 3]!;
  return { bias: at(0), score: at(1), lead: at(2) };
}

function figures(name: string, claims: readonly Claim[]): readonly Row[] {
  const { calibrationError: error } = reliabilityCurve(claims);
  const loss = mean(
    claims.map(({ confidence, isRight }) => -Math.log(isRight ? confidence : 1 - confidence)),
  );
  return [
    { name: `${name}: calibration error`, value: 100 * error, unit: '%', n: claims.length },
    { name: `${name}: loss`, value: loss, unit: '', n: claims.length },
  ];
}
