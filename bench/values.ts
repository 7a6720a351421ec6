/**
 * How far PML's confidence in the values of a plan can be believed, on recorded runs: the plan has the
 * tools of the run, and literals of the request fill it. Without a past, and with all runs of other
 * requests as past. `--sets A,B`.
 */
import { existsSync } from 'node:fs';

import { type Claim, mean, reliabilityCurve } from '../src/learning/index.js';
import { dataFile, requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { valueClaims } from './data/value-claims.js';
import { createReport, type Report, type Row } from './report.js';

const SETS = ['tau2', 'livemcp', 'toolathlon'];
/** No claim is held to be impossible or certain. */
const SURE = 0.999;

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',') ?? SETS;
  return createReport('values', wanted.flatMap(rowsOf));
}

function rowsOf(set: string): readonly Row[] {
  const file = dataFile(set, 'traces.jsonl');
  if (!existsSync(file)) {
    process.stderr.write(`${set}: skipped, no data (${file})\n`);
    return [];
  }
  const claims = valueClaims(set);
  const gain = claims.map(
    ({ cold, learned, isRight }) =>
      lossOf({ confidence: cold, isRight }) - lossOf({ confidence: learned, isRight }),
  );
  const spread = Math.sqrt(mean(gain.map((one) => (one - mean(gain)) ** 2)) / gain.length);
  return [
    ...figures(
      `${set}, no past`,
      claims.map(({ cold: confidence, isRight }) => ({ confidence, isRight })),
    ),
    ...figures(
      `${set}, with a past`,
      claims.map(({ learned: confidence, isRight }) => ({ confidence, isRight })),
    ),
    { name: `${set}: log loss that a past spares`, value: mean(gain), unit: '', n: gain.length },
    { name: `${set}: standard error of that`, value: spread, unit: '', n: gain.length },
  ];
}

function figures(name: string, claims: readonly Claim[]): readonly Row[] {
  const { calibrationError, shareRight } = reliabilityCurve(claims);
  const n = claims.length;
  const claimed = 100 * mean(claims.map(({ confidence }) => confidence));
  return [
    { name: `${name}: claimed`, value: claimed, unit: '%', n },
    { name: `${name}: right`, value: 100 * shareRight, unit: '%', n },
    { name: `${name}: calibration error`, value: 100 * calibrationError, unit: '%', n },
    { name: `${name}: log loss`, value: mean(claims.map(lossOf)), unit: '', n },
  ];
}

function lossOf({ confidence, isRight }: Claim): number {
  const chance = Math.min(SURE, Math.max(1 - SURE, confidence));
  return -Math.log(isRight ? chance : 1 - chance);
}
