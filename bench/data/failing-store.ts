/**
 * A made-up store with failures, as one that grew on a machine with unreliable servers. For each topic
 * there are three tools that do the same and one that takes their result:
 * - `fast` works in 0.2 s; it fails once in 50 calls.
 * - `slow` works as often, in 8 to 20 s. Agents avoid it.
 * - `flaky` fails in 4 of 10 calls, by a timeout or a lost connection. Agents go on with `fast` then.
 * - `save` takes the result. It is refused (`permission`) without a sign-in earlier in the same run.
 * Names and words do not tell which of the three is which. Most calls are made alone and without an
 * intent, as clients make them all day; a topic has few requests, so what is known of its tools comes
 * from how calls went. With `kind: 'even'` all tools are alike, nothing fails, and any of the three serves a
 * request alone: there is nothing to learn. With `kind: 'shuffled'` requests
 * change places with each other: what was called has nothing to do with what was asked for.
 */
import type { ErrorType, ExecutionTrace, PastCall, ToolId } from '../../src/core/index.js';
import { seededRandom } from './seeded-random.js';

export interface FailingStoreOptions {
  readonly topics: number;
  readonly requestsEach: number;
  readonly seed: number;
  readonly kind?: 'failing' | 'even' | 'shuffled';
}

export interface FailingStore {
  /** Oldest first. Requests have an intent; lone calls have none. */
  readonly traces: readonly ExecutionTrace[];
  readonly topicOf: (execution: string) => number;
  /** The three tools that do the same, and the one that takes the result. */
  readonly rivalsOf: (topic: number) => readonly ToolId[];
  readonly saveOf: (topic: number) => ToolId;
  readonly fastOf: (topic: number) => ToolId;
}

type Nature = 'fast' | 'slow' | 'flaky';

const SIGN_IN = 'desk:sign_in' as ToolId;
const NATURES: readonly Nature[] = ['fast', 'slow', 'flaky'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LONE_CALLS = 8;
const STARTED_AT = Date.UTC(2026, 0, 5);
const BETWEEN_MS = 20 * 60_000;
const PREFERS: Readonly<Record<Nature, number>> = { fast: 0.8, slow: 0.08, flaky: 0.12 };
const MESSAGES: Readonly<Record<ErrorType, string>> = {
  timeout: 'no answer within 30000 ms',
  network: 'connection reset by peer',
  permission: '401: sign in first',
  not_found: 'no such entry',
  validation: 'the field "id" must be a number',
  unknown: 'something went wrong',
};

export function failingStore({
  topics,
  requestsEach,
  seed,
  kind = 'failing',
}: FailingStoreOptions): FailingStore {
  const random = seededRandom(seed);
  const isEven = kind === 'even';
  const natures = Array.from({ length: topics }, () => shuffledBy(NATURES, random));
  const rivalOf = (topic: number, place: number) =>
    `s${wordOf(topic)}:fetch_${LETTERS[place]!}` as ToolId;
  const rivalsOf = (topic: number) => NATURES.map((_, place) => rivalOf(topic, place));
  const saveOf = (topic: number) => `s${wordOf(topic)}:save` as ToolId;
  const natured = (topic: number, nature: Nature) =>
    rivalOf(topic, natures[topic]!.indexOf(nature));
  const traces: ExecutionTrace[] = [];
  const topicIds = new Map<string, number>();

  const call = (topic: number, nature: Nature): PastCall => {
    const tool = natured(topic, nature);
    if (isEven) return { tool, ok: true, ms: 200 };
    const ms = nature === 'slow' ? 8_000 + 12_000 * random() : 150 + 100 * random();
    const fails = random() < (nature === 'flaky' ? 0.4 : 0.02);
    if (!fails) return { tool, ok: true, ms };
    return failure(tool, random() < 0.6 ? 'timeout' : 'network', 30_000);
  };
  const save = (topic: number, hasSignedIn: boolean): PastCall => {
    const tool = saveOf(topic);
    if (isEven || hasSignedIn || random() < 0.3) return { tool, ok: true, ms: 120 };
    return failure(tool, 'permission', 40);
  };
  const keep = (topic: number, intent: string, calls: readonly PastCall[]) => {
    const id = `e${traces.length}`;
    topicIds.set(id, topic);
    const at = new Date(STARTED_AT + traces.length * BETWEEN_MS);
    const ok = calls.at(-1)?.ok === true;
    traces.push({ id, intent, at, source: 'live', ok, calls, bindings: [], hasOrigins: true });
  };
  const preferred = (): Nature => {
    if (isEven) return NATURES[Math.floor(random() * NATURES.length)]!;
    const drawn = random();
    return drawn < PREFERS.fast ? 'fast' : drawn < PREFERS.fast + PREFERS.slow ? 'slow' : 'flaky';
  };
  const request = (topic: number, place: number) => {
    const calls: PastCall[] = [];
    const signsIn = !isEven && random() < 0.7;
    if (signsIn) calls.push({ tool: SIGN_IN, ok: true, ms: 90 });
    calls.push(call(topic, preferred()));
    if (!calls.at(-1)!.ok) {
      calls.push({ tool: natured(topic, 'fast'), ok: true, ms: 200 });
    }
    if (!isEven) calls.push(save(topic, signsIn));
    keep(topic, `${wordOf(topic)} report about ${wordOf(100 + place * topics + topic)}`, calls);
  };

  for (let round = 0; round < Math.max(requestsEach, LONE_CALLS); round++) {
    for (let topic = 0; topic < topics; topic++) {
      if (round < LONE_CALLS) for (const nature of NATURES) keep(topic, '', [call(topic, nature)]);
      if (round < requestsEach) request(topic, round);
    }
  }
  return {
    traces: kind === 'shuffled' ? withShuffledCalls(traces, random) : traces,
    topicOf: (execution) => topicIds.get(execution) ?? -1,
    rivalsOf,
    saveOf,
    fastOf: (topic) => natured(topic, 'fast'),
  };
}

function withShuffledCalls(
  traces: readonly ExecutionTrace[],
  random: () => number,
): readonly ExecutionTrace[] {
  const drawn = shuffledBy(
    traces.filter(({ intent }) => intent !== ''),
    random,
  );
  let at = 0;
  return traces.map((trace) => {
    if (trace.intent === '') return trace;
    const { calls, ok } = drawn[at++]!;
    return { ...trace, calls, ok };
  });
}

function failure(tool: ToolId, errorType: ErrorType, ms: number): PastCall {
  return { tool, ok: false, ms, errorType, errorMessage: MESSAGES[errorType] };
}

/** Of letters alone: numbers are values, and no words of a request. */
function wordOf(number: number): string {
  const digits = String(number).replaceAll(/\d/g, (digit) => LETTERS[Number(digit)]!);
  return `item${digits}`;
}

function shuffledBy<One>(all: readonly One[], random: () => number): readonly One[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ one }) => one);
}
