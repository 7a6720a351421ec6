/**
 * What episodic correction and adaptive thresholds are each worth: the same predictions with and without
 * them, made-up ones whose truth is known, and those of a bench-only bigram predictor over recorded runs
 * when the data sets are there. Intervals are 95 %, over requests.
 */
import { existsSync } from 'node:fs';

import { parseToolId } from '../src/core/index.js';
import { dataFile } from './data/kit.js';
import { type ForeseenMoment, madeMoments, SCENARIOS } from './data/made-predictions.js';
import { type Played, type PlayedAll, playLedger, type Way } from './data/play-ledger.js';
import { recordedMoments } from './data/recorded-moments.js';
import { seededRandom } from './data/seeded-random.js';
import { createReport, type Report, type Row } from './report.js';

const WAYS: Readonly<Record<string, Way>> = {
  'fixed 0.92': { fixed: 0.92, episodes: 'off' },
  'fixed 0.92 + episodes': { fixed: 0.92, episodes: 'gated' },
  adaptive: { episodes: 'off' },
  'adaptive + episodes': { episodes: 'gated' },
  'adaptive + episodes, no gate': { episodes: 'always' },
  'adaptive, one kind for all': { episodes: 'off', kindOf: () => 'all' },
  'adaptive, a kind a server': { episodes: 'off', kindOf: (tool) => parseToolId(tool).server },
};
const SEEDS = [1, 2, 3, 4, 5];
const RESAMPLES = 300;

interface Figures {
  readonly useful: number;
  readonly waste: number;
  readonly covered: number;
  readonly savedMs: number;
  readonly brier: number;
}

export async function run(): Promise<Report> {
  const rows: Row[] = [];
  const lines: string[] = [];
  const add = (name: string, streams: readonly (readonly ForeseenMoment[])[]) => {
    lines.push(
      '',
      `${name} (n = ${streams.flat().length} moments, ${streams.length} orders)`,
      HEAD,
    );
    for (const [way, options] of Object.entries(WAYS)) {
      const played = streams.map((stream) => playLedger(stream, options));
      const { line, own } = describeWay(name, way, played);
      lines.push(line);
      rows.push(...own);
    }
  };
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    add(
      name,
      SEEDS.map((seed) => madeMoments(scenario, seed)),
    );
  }
  const file = dataFile('toolathlon', 'calls.jsonl');
  if (existsSync(file)) {
    for (const what of ['call', 'tool'] as const) {
      const name = `recorded runs, the next ${what} by bench-only bigrams + last arguments`;
      add(
        name,
        SEEDS.map((seed) => recordedMoments(file, what, seed)),
      );
    }
  } else lines.push('', 'recorded runs: skipped, the data sets are not there');
  return { ...createReport('episodes', rows), text: `${lines.join('\n')}\n` };
}

const COLUMNS = [31, 16, 19, 20, 18, 22, 6, 9, 4] as const;
const HEAD = columns([
  '',
  'useful of done %',
  'wasted a moment %',
  'moments served %',
  'ms saved a moment',
  'squared error',
  'done',
  'threshold',
  'off',
]);

function describeWay(name: string, way: string, played: readonly PlayedAll[]) {
  // A request that was played in several orders is one piece of evidence.
  const moments = played.flatMap((one) => one.moments);
  const figures = figuresOf(sumsOf(moments));
  const around = intervals(moments);
  const done = moments.filter(({ wasDone }) => wasDone).length;
  const mean = (of: (one: PlayedAll) => number) =>
    played.reduce((sum, one) => sum + of(one), 0) / played.length;
  const shown = (key: keyof Figures, factor: number, digits: number) => {
    if (Number.isNaN(figures[key])) return '–';
    const [low, high] = around[key];
    return `${(factor * figures[key]).toFixed(digits)} (${(factor * low).toFixed(digits)} to ${(factor * high).toFixed(digits)})`;
  };
  const isFixed = WAYS[way]?.fixed;
  const line = columns([
    `${way}${mean(({ isCorrected }) => (isCorrected ? 1 : 0)) > 0.5 && way.endsWith('+ episodes') ? ' (open)' : ''}`,
    shown('useful', 100, 0),
    shown('waste', 100, 1),
    shown('covered', 100, 1),
    shown('savedMs', 1, 0),
    shown('brier', 1, 3),
    String(done),
    (isFixed ?? mean(({ threshold }) => threshold)).toFixed(2),
    isFixed === undefined ? mean(({ off }) => off).toFixed(1) : '',
  ]);
  const row = (what: string, value: number, unit: string): Row => ({
    name: `${name}: ${way}: ${what}`,
    value,
    unit,
    n: moments.length,
  });
  const own = [
    row('useful of done', 100 * figures.useful, '%'),
    row('wasted a moment', 100 * figures.waste, '%'),
    row('moments served', 100 * figures.covered, '%'),
    row('ms saved a moment', figures.savedMs, 'ms'),
    row('squared error', figures.brier, ''),
  ];
  return { line, own };
}

/** Sums over moments, which add up over groups. */
interface Sums {
  readonly moments: number;
  readonly done: number;
  readonly hits: number;
  readonly savedMs: number;
  readonly error: number;
}

function sumsOf(moments: readonly Played[]): Sums {
  const done = moments.filter(({ wasDone }) => wasDone);
  const hits = done.filter(({ isExact }) => isExact);
  return {
    moments: moments.length,
    done: done.length,
    hits: hits.length,
    savedMs: hits.reduce((sum, { callMs }) => sum + callMs, 0),
    error: moments.reduce((sum, { error }) => sum + error, 0),
  };
}

function addUp(all: readonly Sums[]): Sums {
  const total = (of: (one: Sums) => number) => all.reduce((sum, one) => sum + of(one), 0);
  return {
    moments: total(({ moments }) => moments),
    done: total(({ done }) => done),
    hits: total(({ hits }) => hits),
    savedMs: total(({ savedMs }) => savedMs),
    error: total(({ error }) => error),
  };
}

function figuresOf({ moments, done, hits, savedMs, error }: Sums): Figures {
  return {
    useful: hits / done,
    waste: (done - hits) / moments,
    covered: hits / moments,
    savedMs: savedMs / moments,
    brier: error / moments,
  };
}

/** Requests are drawn again, with all their moments. */
function intervals(
  moments: readonly Played[],
): Readonly<Record<keyof Figures, readonly [number, number]>> {
  const groups = new Map<string, Played[]>();
  for (const one of moments) {
    const own = groups.get(one.group);
    if (own) own.push(one);
    else groups.set(one.group, [one]);
  }
  const all = Array.from(groups.values(), sumsOf);
  const random = seededRandom(17);
  const drawn = Array.from({ length: RESAMPLES }, () =>
    figuresOf(addUp(all.map(() => all[Math.floor(random() * all.length)]!))),
  );
  const around = (key: keyof Figures): readonly [number, number] => {
    const values = drawn.map((one) => one[key]).filter((value) => !Number.isNaN(value));
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
    return [at(0.025), at(0.975)];
  };
  return {
    useful: around('useful'),
    waste: around('waste'),
    covered: around('covered'),
    savedMs: around('savedMs'),
    brier: around('brier'),
  };
}

function columns(cells: readonly string[]): string {
  return cells
    .map((cell, place) =>
      place === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[place] ?? 0),
    )
    .join('  ')
    .trimEnd();
}
