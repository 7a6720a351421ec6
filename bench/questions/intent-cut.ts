/**
 * A client that turns to another request within a quarter of an hour: what the calls before it do to the
 * next search, and whether to cut the session where the intent changes.
 */
import { MEMORY_MODEL, SESSION_MODEL } from '../../src/ranking/index.js';
import type { RankedRow } from '../data/ranked-set.js';
import { seededRandom } from '../data/seeded-random.js';
import type { Row } from '../report.js';
import { type HalfWay, type HalfWaySet, reciprocalPlace } from './half-way.js';
import { lossRows } from './paired-rows.js';

/** Of pairs of requests that have nothing to do with each other, the share that is cut. */
const CUT_SHARE = 0.95;
const PAIRS = 2_000;

export function intentCut({ name, set, memory, questions }: HalfWaySet): readonly Row[] {
  const { sources } = set.remembering(memory);
  const threshold = thresholdOf(memory);
  const others = questions.map((one, at) => otherThan(one, questions, at));
  const before = (at: number) => [...(others[at]?.called ?? []), ...(others[at]?.rest ?? [])];
  const isCut = (at: number) => likeness(questions[at]!.row, others[at]?.row) < threshold;
  const placesWith = (calledAt: (at: number) => HalfWay['called'], model = SESSION_MODEL) =>
    questions.map((one, at) => reciprocalPlace(one, { called: calledAt(at), model, sources }));
  const window = placesWith((at) => [...before(at), ...questions[at]!.called]);
  const cut = placesWith((at) => {
    const own = questions[at]!.called;
    return isCut(at) ? own : [...before(at), ...own];
  });
  const oracle = placesWith((at) => questions[at]!.called);
  const none = placesWith(() => [], MEMORY_MODEL);
  // The first search after the change: nothing of the new request was called yet.
  const freshWindow = placesWith((at) => before(at));
  const freshCut = placesWith((at) => (isCut(at) ? [] : before(at)));
  const mean = (values: readonly number[]) =>
    (100 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length);
  const row = (what: string, values: readonly number[]): Row => {
    return { name: `${name}: ${what}`, value: mean(values), unit: '%', n: values.length };
  };
  const against = (what: string, one: readonly number[], other: readonly number[]) =>
    lossRows(
      `${name}: ${what}`,
      questions.map(({ group }, at) => ({ group, whole: one[at]!, without: other[at]! })),
    );
  const cuts = questions.map((_, at) => (isCut(at) ? 1 : 0));
  return [
    row('changes of intent that are cut', cuts),
    row('MRR, 15-minute window', window),
    row('MRR, cut where the intent changes', cut),
    row('MRR, only calls of the request itself', oracle),
    row('MRR, no session', none),
    ...against('cut against the window', cut, window),
    ...against('cut against the window, first search after the change', freshCut, freshWindow),
  ];
}

/** The likeness that this share of unrelated requests stays below. */
function thresholdOf(rows: readonly RankedRow[]): number {
  const random = seededRandom(9);
  const pick = () => rows[Math.floor(random() * rows.length)];
  const found = Array.from({ length: PAIRS }, () => likeness(pick(), pick()));
  return found.toSorted((a, b) => a - b)[Math.floor(CUT_SHARE * PAIRS)] ?? 1;
}

function likeness(one: RankedRow | undefined, other: RankedRow | undefined): number {
  const [first, second] = [one?.intents[0]?.vector, other?.intents[0]?.vector];
  if (!first || !second) return 0;
  return first.reduce((sum, value, at) => sum + value * second[at]!, 0);
}

function otherThan(
  { group }: HalfWay,
  questions: readonly HalfWay[],
  at: number,
): HalfWay | undefined {
  const start = (at + Math.ceil(questions.length / 2)) % questions.length;
  const turned = [...questions.slice(start), ...questions.slice(0, start)];
  return turned.find((one) => one.group !== group);
}
