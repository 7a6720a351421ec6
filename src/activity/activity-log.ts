import { boundedJson, type KeptText } from './bounded-json.js';
import { CallRate } from './call-rate.js';
import type { FinishedCall } from './finished-call.js';

/**
 * A call that the daemon remembers. Texts are as they came: who shows them masks secrets. Every field
 * is there, so that thousands of calls share one layout in memory.
 */
export interface KeptCall extends Pick<
  FinishedCall,
  'at' | 'ms' | 'client' | 'way' | 'tool' | 'outcome'
> {
  /** From 1. */
  readonly number: number;
  readonly server: string | undefined;
  readonly error: string | undefined;
  readonly run: string | undefined;
  readonly task: string | undefined;
  readonly isSpeculated: boolean | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Missing once newer calls needed the room. */
  readonly request: KeptText | undefined;
  readonly response: KeptText | undefined;
}

export interface ActivityLogOptions {
  readonly mostCalls?: number;
  /** Characters kept of one request or response. */
  readonly mostCharacters?: number;
  /** Characters kept of all of them. */
  readonly mostKeptCharacters?: number;
}

const MOST_CALLS = 2_000;
const MOST_CHARACTERS = 8_192;
const MOST_KEPT_CHARACTERS = 3_000_000;
/** Calls are looked at this long after they ended: their client has its answer by then. */
const DELAY_MS = 25;
/** Calls that are looked at before clients have their turn again. */
const AT_ONCE = 100;

/**
 * The last calls through PML, in memory. A call only appends what it has at hand; PML measures and
 * shortens it later, so that no client waits for that.
 */
export class ActivityLog {
  readonly #most: number;
  readonly #characters: number;
  readonly #keptCharacters: number;
  readonly #rate = new CallRate();
  readonly #listeners = new Set<(call: KeptCall) => void>();
  #waiting: FinishedCall[] = [];
  #calls: KeptCall[] = [];
  /** Place in `#calls` of the oldest that still has its texts. */
  #firstWithTexts = 0;
  #textCharacters = 0;
  #total = 0;
  /** Whether a timer runs that looks at what waits. */
  #isDue = false;

  constructor(options: ActivityLogOptions = {}) {
    this.#most = options.mostCalls ?? MOST_CALLS;
    this.#characters = options.mostCharacters ?? MOST_CHARACTERS;
    this.#keptCharacters = options.mostKeptCharacters ?? MOST_KEPT_CHARACTERS;
  }

  /** Calls since the start. */
  get total(): number {
    return this.#total + this.#waiting.length;
  }

  record(call: FinishedCall): void {
    this.#waiting.push(call);
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.#work(), DELAY_MS).unref();
  }

  /** Newest first. */
  newest(): readonly KeptCall[] {
    this.#takeAll();
    return this.#calls.toReversed();
  }

  find(number: number): KeptCall | undefined {
    this.#takeAll();
    const first = this.#calls[0]?.number ?? 0;
    return this.#calls[number - first];
  }

  /** Calls and failures of the last 60 minutes, oldest first. */
  perMinute(now: number): ReturnType<CallRate['read']> {
    this.#takeAll();
    return this.#rate.read(now);
  }

  /** Tells every call a moment after it ended. Returns how to stop. */
  onCall(listener: (call: KeptCall) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #work(): void {
    const now = this.#waiting.slice(0, AT_ONCE);
    this.#waiting = this.#waiting.slice(AT_ONCE);
    for (const call of now) this.#take(call);
    this.#isDue = this.#waiting.length > 0;
    if (this.#isDue) setTimeout(() => this.#work(), 0).unref();
  }

  #takeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const call of waiting) this.#take(call);
  }

  #take(finished: FinishedCall): void {
    const { at, ms, client, way, tool, outcome, server, error, run, task, isSpeculated } = finished;
    const request = boundedJson(finished.request, this.#characters);
    const response = finished.response && boundedJson(finished.response, this.#characters);
    // Written out: V8 gives an object made by spreading a layout of its own, larger than its values.
    const call: KeptCall = {
      number: ++this.#total,
      at,
      ms,
      client,
      way,
      tool,
      outcome,
      server,
      error,
      run,
      task,
      isSpeculated,
      requestBytes: request.size,
      responseBytes: response?.size ?? 0,
      request,
      response,
    };
    this.#calls.push(call);
    this.#textCharacters += charactersOf(call);
    this.#rate.add(call.at, call.outcome !== 'ok');
    this.#makeRoom();
    for (const listener of this.#listeners) listener(call);
  }

  #makeRoom(): void {
    while (this.#textCharacters > this.#keptCharacters) this.#dropTexts(this.#firstWithTexts++);
    // In steps, so that not every call moves all the others.
    const surplus = this.#calls.length - this.#most;
    if (surplus < this.#most / 10) return;
    for (let place = this.#firstWithTexts; place < surplus; place++) this.#dropTexts(place);
    this.#calls = this.#calls.slice(surplus);
    this.#firstWithTexts = Math.max(0, this.#firstWithTexts - surplus);
  }

  #dropTexts(place: number): void {
    const call = this.#calls[place];
    if (!call) return;
    this.#textCharacters -= charactersOf(call);
    this.#calls[place] = { ...call, request: undefined, response: undefined };
  }
}

function charactersOf({ request, response }: KeptCall): number {
  return (request?.text.length ?? 0) + (response?.text.length ?? 0);
}
