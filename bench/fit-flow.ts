/**
 * What the weights of flow inference are worth on sets they have not seen: for every set the weights,
 * the least strength of a link and the calibration are fitted on the other sets alone. Beside it the
 * figures of the weights that are shipped, by the same plain reading of all candidates.
 */
import { mean, reliabilityCurve, SOURCE_FROM } from '../src/learning/index.js';
import { WEIGHED_SIGNALS } from '../src/planner/flow/binding-candidates.js';
import { calibrateBindings, calibrated } from '../src/planner/index.js';
import { type FlowQuestion, fitWeights, flowF1, readQuestions } from './data/flow-fit.js';
import { requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { createReport, type Report, type Row } from './report.js';

const SETS = ['nestful', 'nestools', 'tmdb', 'toollinkos'];
/** Sets whose answers name the parameters, so that bindings can be judged. */
const JUDGED = new Set(['nestful', 'nestools']);
const STRENGTHS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
const pause = async () => {};

type Sets = ReadonlyMap<string, readonly FlowQuestion[]>;

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const names = values['sets']?.split(',') ?? SETS;
  const sets = new Map(names.map((set) => [set, readQuestions(set)]));
  const rows: Row[] = [];
  for (const set of names) rows.push(...(await measure(set, sets)));
  const fitted = await fitWeights([...sets.values()]);
  WEIGHED_SIGNALS.forEach(({ name, weight }, at) => {
    rows.push({
      name: `weight of ${name}, shipped ${weight}: fitted on all`,
      value: fitted[at]!,
      unit: '',
    });
  });
  return createReport('fit-flow', rows);
}

async function measure(set: string, sets: Sets): Promise<readonly Row[]> {
  const own = sets.get(set)!;
  const others = [...sets].filter(([name]) => name !== set);
  const shipped = Float64Array.from(WEIGHED_SIGNALS, ({ weight }) => weight);
  const neverSaw = await fitWeights(others.map(([, questions]) => questions));
  const from = bestStrength(
    others.map(([, questions]) => questions),
    neverSaw,
  );
  const rows = [
    { name: `${set}: F1, shipped weights`, value: 100 * flowF1(own, shipped, SOURCE_FROM) },
    { name: `${set}: F1, weights that never saw it`, value: 100 * flowF1(own, neverSaw, from) },
  ].map((row) => ({ ...row, unit: '%', n: own.length }));
  return [...rows, ...(JUDGED.has(set) ? await calibrationRows(set, sets) : [])];
}

/** The least strength with which the weights do best on average. */
function bestStrength(sets: readonly (readonly FlowQuestion[])[], weights: Float64Array): number {
  const worth = (strength: number) => mean(sets.map((some) => flowF1(some, weights, strength)));
  return STRENGTHS.reduce((best, one) => (worth(one) > worth(best) ? one : best));
}

async function calibrationRows(set: string, sets: Sets): Promise<readonly Row[]> {
  const claimsOf = (name: string) => (sets.get(name) ?? []).flatMap(({ claims }) => claims);
  const own = claimsOf(set);
  const others = [...JUDGED].filter((name) => name !== set && sets.has(name));
  const learned = await calibrateBindings(others.flatMap(claimsOf), pause);
  const half = await calibrateBindings(
    own.filter((_, place) => place % 2 === 0),
    pause,
  );
  const errorOf = (claims: typeof own) => 100 * reliabilityCurve(claims).calibrationError;
  const through = (claims: typeof own, by: typeof learned) =>
    claims.map((one) => ({ ...one, confidence: calibrated(one.confidence, by) }));
  return [
    { name: `${set}: ECE of bindings, shipped`, value: errorOf(own) },
    {
      name: `${set}: ECE of bindings, fitted on the others`,
      value: errorOf(through(own, learned)),
    },
    {
      name: `${set}: ECE of every other binding, fitted on the rest`,
      value: errorOf(
        through(
          own.filter((_, place) => place % 2 === 1),
          half,
        ),
      ),
    },
  ].map((row) => ({ ...row, unit: '%', n: own.length }));
}
