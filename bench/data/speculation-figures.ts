/** What proposals for moments of recorded runs are worth, in the figures of the data scorer. */
import type { SessionCall } from '../../src/speculation/index.js';
import { cameTrue, type RankedProposal } from '../../src/speculation/predict/recorded-session.js';
import { seededRandom } from './seeded-random.js';

export const LEVELS = [0.5, 0.7, 0.8, 0.85, 0.92] as const;

/** One moment the benchmark asked about. */
export interface ScoredMoment {
  readonly group: string;
  readonly hasNext: boolean;
  readonly toolHit1: boolean;
  readonly toolHit3: boolean;
  readonly callHit1: boolean;
  readonly callHit3: boolean;
  /** Proposals for tools that read by their name, and whether they came true. */
  readonly reading: readonly { readonly confidence: number; readonly isRight: boolean }[];
  /** The least confidence among the proposals for its calls; 0 unless all of them were proposed. */
  readonly wholeTurnAt: number;
}

export function scoreMoment(
  group: string,
  proposals: readonly RankedProposal[],
  next: readonly SessionCall[],
  isReading: (tool: string) => boolean,
): ScoredMoment {
  const shown = proposals.slice(0, 3);
  const tools = new Set(next.map(({ tool }) => tool));
  const right = shown.map((one) => cameTrue(one, next));
  const reading = shown
    .map(({ tool, confidence }, at) => ({ tool, confidence, isRight: right[at] === true }))
    .filter(({ tool }) => isReading(tool));
  const covering = next.map((call) =>
    Math.max(
      0,
      ...shown
        .filter((one) => isReading(one.tool) && cameTrue(one, [call]))
        .map((one) => one.confidence),
    ),
  );
  return {
    group,
    hasNext: next.length > 0,
    toolHit1: shown.slice(0, 1).some(({ tool }) => tools.has(tool)),
    toolHit3: shown.some(({ tool }) => tools.has(tool)),
    callHit1: right[0] === true,
    callHit3: right.includes(true),
    reading,
    wholeTurnAt: next.length > 0 ? Math.min(...covering) : 0,
  };
}

/** Seconds one call takes, without thinking time; a turn waits for all its calls. */
const TOOL_SECONDS = 1.5;

export interface LevelFigures {
  readonly executed: number;
  readonly usefulShare: number;
  readonly coverage: number;
  readonly wastedPerHit: number;
  readonly savedSeconds: number;
}

export function figuresAt(moments: readonly ScoredMoment[], least: number): LevelFigures {
  const ahead = moments.filter(({ hasNext }) => hasNext).length;
  const run = moments.flatMap(({ reading }) => reading.filter((one) => one.confidence >= least));
  const hits = run.filter(({ isRight }) => isRight).length;
  const covered = moments.filter(({ reading }) =>
    reading.some((one) => one.isRight && one.confidence >= least),
  ).length;
  const whole = moments.filter((one) => one.wholeTurnAt > 0 && one.wholeTurnAt >= least).length;
  return {
    executed: run.length,
    usefulShare: hits / run.length,
    coverage: covered / ahead,
    wastedPerHit: (run.length - hits) / hits,
    savedSeconds: (whole * TOOL_SECONDS) / ahead,
  };
}

type Hit = 'toolHit1' | 'toolHit3' | 'callHit1' | 'callHit3';

export function hitRate(moments: readonly ScoredMoment[], hit: Hit): number {
  const ahead = moments.filter(({ hasNext }) => hasNext);
  return ahead.filter((one) => one[hit]).length / ahead.length;
}

const RESAMPLED = 1_000;

/** The 95 % interval of a figure when tasks are resampled. */
export function intervalOf(
  moments: readonly ScoredMoment[],
  figure: (some: readonly ScoredMoment[]) => number,
): readonly [low: number, high: number] {
  const byGroup = new Map<string, ScoredMoment[]>();
  for (const one of moments) byGroup.set(one.group, [...(byGroup.get(one.group) ?? []), one]);
  const groups = [...byGroup.values()];
  const random = seededRandom(7);
  const drawn = Array.from({ length: RESAMPLED }, () =>
    figure(groups.flatMap(() => groups[Math.floor(random() * groups.length)]!)),
  )
    .filter(Number.isFinite)
    .toSorted((one, other) => one - other);
  const at = (share: number) => drawn[Math.floor(share * (drawn.length - 1))] ?? NaN;
  return [at(0.025), at(0.975)];
}
