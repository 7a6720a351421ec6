/**
 * Moments of recorded runs with what a bench-only predictor foresees: the tool that followed most often
 * (bigrams), with the arguments it had last. It is not PML's predictor; it only brings real situations
 * and real errors to what is measured here.
 */
import * as z from 'zod';

import { canonicalJson, type JsonObject, type ToolId } from '../../src/core/index.js';
import type { ForeseenMoment } from './made-predictions.js';
import { parseRows } from './rows.js';
import { seededRandom } from './seeded-random.js';

const Run = z.object({
  id: z.string(),
  group: z.string(),
  model: z.string(),
  query: z.string(),
  calls: z.array(
    z.object({
      tool: z.string(),
      args: z.record(z.string(), z.json()).nullable(),
      turn: z.number(),
      readOnlyByName: z.boolean(),
    }),
  ),
});
type RecordedRun = z.infer<typeof Run>;

/** Medians of the set: thinking of a model, and time of a tool. */
const TURN_MS = 12_100;
const CALL_MS = 1_500;
const SESSION_MS = 3_600_000;
const MOST_LAST = 4;
/** As if a prediction had been made so often, and right so often, before it was made. */
const PRIOR_COUNT = 4;
const PRIOR_RIGHT = 0.4;

/** What has to come true: the call with its arguments, which must only read, or the tool alone. */
export type Foreseen = 'call' | 'tool';

/** Each moment is foreseen from what came before it, in this run and in runs before. */
export function recordedMoments(
  file: string,
  what: Foreseen,
  seed: number,
): readonly ForeseenMoment[] {
  const runs = shuffled(parseRows(file, Run), seed);
  const calls = runs.flatMap((run) => run.calls);
  const reading = new Set(calls.filter((one) => one.readOnlyByName).map(({ tool }) => tool));
  const predictor = new BigramPredictor();
  return runs
    .flatMap((run, place) => momentsOf(run, { startMs: place * SESSION_MS, what, predictor }))
    .filter(({ predicted }) => what === 'tool' || reading.has(predicted));
}

interface Replay {
  readonly startMs: number;
  readonly what: Foreseen;
  readonly predictor: BigramPredictor;
}

function momentsOf(
  { group, model, query, calls }: RecordedRun,
  { startMs, what, predictor }: Replay,
): readonly ForeseenMoment[] {
  const own = new Map<string, JsonObject>();
  return calls.flatMap(({ tool, args, turn }, place) => {
    const before = calls[place - 1];
    // A checked row of JSON.
    const actual = (args ?? {}) as JsonObject;
    const foreseen = before && predictor.foresee(before.tool, own);
    const isTool = foreseen?.tool === tool;
    const isSame = isTool && canonicalJson(foreseen.args) === canonicalJson(actual);
    const isRight = what === 'tool' ? isTool : isSame;
    if (foreseen) predictor.judged(before.tool, foreseen.tool, isRight);
    if (before) predictor.followed(before.tool, tool);
    own.set(tool, actual);
    predictor.called(tool, actual);
    if (!foreseen || before.turn === turn) return [];
    const last = calls.slice(Math.max(0, place - MOST_LAST), place);
    return [
      {
        group,
        atMs: startMs + place * TURN_MS,
        client: model,
        intent: query,
        last: last.map((one) => one.tool as ToolId),
        predicted: foreseen.tool as ToolId,
        claimed: foreseen.confidence,
        isExact: isRight,
        callMs: what === 'tool' ? 0 : CALL_MS,
      },
    ];
  });
}

class BigramPredictor {
  readonly #next = new Map<string, Map<string, number>>();
  readonly #lastArgs = new Map<string, JsonObject>();
  readonly #hits = new Map<string, { right: number; count: number }>();

  foresee(before: string, own: ReadonlyMap<string, JsonObject>) {
    const followers = [...(this.#next.get(before) ?? [])].toSorted(([, one], [, two]) => two - one);
    const [tool] = followers[0] ?? [];
    if (tool === undefined) return undefined;
    const args = own.get(tool) ?? this.#lastArgs.get(tool) ?? {};
    const { right, count } = this.#hits.get(`${before} ${tool}`) ?? { right: 0, count: 0 };
    return { tool, args, confidence: (right + PRIOR_RIGHT) / (count + PRIOR_COUNT) };
  }

  judged(before: string, tool: string, isRight: boolean): void {
    const key = `${before} ${tool}`;
    const { right, count } = this.#hits.get(key) ?? { right: 0, count: 0 };
    this.#hits.set(key, { right: right + (isRight ? 1 : 0), count: count + 1 });
  }

  followed(before: string, tool: string): void {
    const own = this.#next.get(before) ?? new Map<string, number>();
    this.#next.set(before, own.set(tool, (own.get(tool) ?? 0) + 1));
  }

  called(tool: string, args: JsonObject): void {
    this.#lastArgs.set(tool, args);
  }
}

function shuffled<One>(items: readonly One[], seed: number): readonly One[] {
  const random = seededRandom(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
