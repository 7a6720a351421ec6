import type { TaskId } from '../../core/index.js';
import { type BindingCalibration, calibrated, SHIPPED_CALIBRATION } from './calibrate-bindings.js';
import type { PairDraft } from './pair-links.js';
import type { BindingReason } from './score-binding.js';
import type { Slot, ToolProfile } from './tool-profile.js';

/** A value that may go from one task into a parameter of another. */
export interface FlowLink {
  readonly from: TaskId;
  readonly to: TaskId;
  /** Undefined if PML only knows that the consumer waits for the producer. */
  readonly param?: string;
  /** Undefined if PML does not know where in the result the value is. */
  readonly path?: string;
  /** How strong this link is compared with other links, from 0 to 1. */
  readonly score: number;
  /** How likely the request means this source, from 0 to 1. */
  readonly probability: number;
  readonly explain: () => readonly BindingReason[];
}

/** A possible source of one consumer. */
export interface Source {
  readonly from: TaskId;
  readonly to: TaskId;
  readonly producer: ToolProfile;
  readonly draft: PairDraft;
}

/** A value that a task takes from another task, as the plan says or as PML expects. */
export interface Taken {
  readonly from: TaskId;
  /** Undefined if the task may take any part of the result. */
  readonly path?: string | undefined;
}

export interface SourceWeighing {
  /** The values that a task takes. */
  readonly takenBy: (task: TaskId) => readonly Taken[];
  /** Whether the task has its input, and no task takes its result yet. */
  readonly isDue: (task: TaskId) => boolean;
  /** Whether the task waits for the other task. If so, the task cannot be its source. */
  readonly waitsFor: (task: TaskId, other: TaskId) => boolean;
  /** How far probabilities came true in this store, if PML knows it. */
  readonly calibration?: BindingCalibration | undefined;
}

/** Log-odds against a value if a step in between transforms it. */
const JUMPED = 2;
/** Log-odds for a step that transforms its input: another task should take its result. */
const DUE = 2.5;

/**
 * How likely each source of a parameter is. At most one source is right, so evidence for one source is
 * evidence against the others. If a step in between transforms a value, the result of that step wins.
 */
export function weighSources(
  sources: readonly Source[],
  options: SourceWeighing,
): readonly FlowLink[] {
  const moved = passOn(sources, options);
  const odds = moved.map((logOdds, place) => {
    const { from, to, draft } = sources[place]!;
    // A result that PML has never seen is no rival: PML cannot know whether it fits.
    const isRival = !draft.output?.own.unseen && !options.waitsFor(from, to);
    return isRival ? Math.exp(logOdds) : 0;
  });
  const all = odds.reduce((sum, one) => sum + one, 0);
  return sources.map(({ from, to, draft }, place) => {
    const own = Math.exp(moved[place]!);
    const { param, path, scoreOf, explain } = draft;
    const chance = own / (1 + own + all - odds[place]!);
    return {
      from,
      to,
      ...(param !== undefined && { param }),
      ...(path !== undefined && { path }),
      score: scoreOf(chance),
      probability: calibrated(
        scoreOf(calibrated(chance, SHIPPED_CALIBRATION)),
        options.calibration,
      ),
      explain,
    };
  });
}

/**
 * The log-odds of the sources. A step in between inherits the log-odds of the value that it takes.
 */
function passOn(sources: readonly Source[], { takenBy, isDue }: SourceWeighing): readonly number[] {
  const logOdds = sources.map(
    ({ from, producer, draft }) =>
      draft.logOdds + (producer.isTransforming && isDue(from) ? DUE : 0),
  );
  sources.forEach((between, place) => {
    for (const { from, path } of takenBy(between.from)) {
      const jumped = sources.findIndex(
        ({ from: other, draft }) => other === from && isPartOf(path, draft.path),
      );
      const source = sources[jumped];
      if (!source || !isMadeOf(between, source.draft.output)) continue;
      logOdds[place] = Math.max(logOdds[place]!, source.draft.logOdds);
      logOdds[jumped]! -= JUMPED;
    }
  });
  return logOdds;
}

/** Whether the task takes this value or a part of it. */
function isPartOf(taken: string | undefined, path: string | undefined): boolean {
  return taken === undefined || path === '' || taken === path;
}

/** Whether a step transforms a value, by the name of its tool or by the name of its result. */
function isMadeOf({ producer, draft: { output } }: Source, taken: Slot | undefined): boolean {
  if (producer.isTransforming) return true;
  if (!output || !taken || taken.words.length === 0) return false;
  return (
    output.words.length > taken.words.length &&
    taken.words.every((word) => output.words.includes(word))
  );
}
