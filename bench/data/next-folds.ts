/** Recorded runs parted again and again, so that few of them tell as much as they can. */
import { requestWords } from '../../src/words/index.js';
import { dataFile } from './kit.js';
import {
  type RecordedEvent,
  type RecordedMoment,
  recordedSteps,
  type Turns,
  turnsOf,
} from './recorded-steps.js';
import { readRows } from './rows.js';
import { seededRandom } from './seeded-random.js';

/** A request with what served it, or a recorded run; as it is in the data. */
interface SetRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly events?: readonly RecordedEvent[];
}

interface GroupedRow extends SetRow {
  readonly group: string;
}

/** One part of the runs, and all that is of no group with them. */
export interface Fold {
  readonly memory: readonly GroupedRow[];
  readonly asked: readonly NextFoldQuestion[];
}

export interface NextFoldQuestion {
  readonly group: string;
  readonly query: string;
  /** In the order it was done; repetitions right after each other count once. */
  readonly done: readonly string[];
  readonly wanted: string;
  readonly moment: RecordedMoment;
}

/** Each repetition parts the groups in another way; within one of them every run is asked once. */
export function* nextFolds(
  set: string,
  { repetitions, folds }: { readonly repetitions: number; readonly folds: number },
): Generator<Fold, void> {
  const rows = groupedRows(set);
  const turns = turnsOf(set);
  const groups = [...new Set(rows.map(({ group }) => group))];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const random = seededRandom(1_000 + repetition);
    const order = groups
      .map((group) => ({ group, at: random() }))
      .toSorted((one, other) => one.at - other.at);
    const foldOf = new Map(order.map(({ group }, place) => [group, place % folds]));
    for (let fold = 0; fold < folds; fold++) {
      yield {
        memory: rows.filter(({ group }) => foldOf.get(group) !== fold),
        asked: rows
          .filter(({ group }) => foldOf.get(group) === fold)
          .flatMap((row) => questionsOf(row, turns)),
      };
    }
  }
}

/** A request and the runs that were asked for in the same words are one group. */
function groupedRows(set: string): readonly GroupedRow[] {
  const rows = ['queries.jsonl', 'traces.jsonl'].flatMap(
    (file) => readRows(dataFile(set, file)) as readonly SetRow[],
  );
  return rows.map((row) => {
    return { ...row, group: requestWords(row.query).words.join(' ') || row.query };
  });
}

function questionsOf(
  { id, group, query, events = [] }: GroupedRow,
  turns: Turns,
): readonly NextFoldQuestion[] {
  return recordedSteps(events, turns(id)).map((step) => ({ group, query, ...step }));
}

/** Whether a question was answered right, by us and by the simplest. */
export interface PairedHit {
  readonly group: string;
  readonly ours: boolean;
  readonly simplest: boolean;
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

const RESAMPLED = 2_000;

/** How much more often we were right: where 95 % of the gains lie if groups are drawn again. */
export function gainInterval(hits: readonly PairedHit[]): Interval {
  const byGroup = new Map<string, { gain: number; count: number }>();
  for (const { group, ours, simplest } of hits) {
    const own = byGroup.get(group) ?? { gain: 0, count: 0 };
    const gain = own.gain + Number(ours) - Number(simplest);
    byGroup.set(group, { gain, count: own.count + 1 });
  }
  const groups = [...byGroup.values()];
  const random = seededRandom(7);
  const gains = Array.from({ length: RESAMPLED }, () => {
    const drawn = groups.map(() => groups[Math.floor(random() * groups.length)]!);
    const gain = drawn.reduce((sum, one) => sum + one.gain, 0);
    return gain / drawn.reduce((sum, one) => sum + one.count, 0);
  }).toSorted((one, other) => one - other);
  return {
    low: gains[Math.floor(0.025 * RESAMPLED)]!,
    high: gains[Math.floor(0.975 * RESAMPLED)]!,
  };
}
