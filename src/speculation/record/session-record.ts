import type { JsonObject, JsonValue, ToolId, ToolResult } from '../../core/index.js';
import { outputValue } from '../../plan/index.js';
import type { SessionCall, Situation } from '../situation.js';

/** The number of calls that a session remembers. */
const MOST_CALLS = 50;
/** Limit for all outputs of a session together; a longer output is not kept. */
const MOST_CHARACTERS = 64_000;
const MOST_INTENTS = 3;
const MOST_INTENT_CHARACTERS = 500;

/** A call as it was made; its outcome is known when it has ended. */
export interface OpenCall {
  readonly tool: ToolId;
  readonly args: JsonObject;
  readonly turn: number;
  /** Its number among the calls of the session, from 1. */
  readonly place: number;
  readonly began: number;
}

interface Ended {
  readonly call: SessionCall;
  /** Parsed on demand: parsing a long output must not delay the response to the client. */
  readonly result: ToolResult | undefined;
}

interface Read {
  readonly call: SessionCall;
  readonly characters: number;
}

/** The calls and intents of one client session, bounded, in memory only. */
export class SessionRecord {
  readonly session: string;
  readonly client: string;
  /** From a monotonic clock. */
  readonly #now: () => number;
  #intents: readonly string[] = [];
  #read: readonly Read[] = [];
  #ended: Ended[] = [];
  #turn = 0;
  #hasEndedSince = true;
  #open = 0;
  #made = 0;

  constructor(session: string, client: string, now: () => number) {
    this.session = session;
    this.client = client;
    this.#now = now;
  }

  /** The number of calls that have begun; another number means another situation. */
  get made(): number {
    return this.#made;
  }

  /** Calls that have begun and not ended. */
  get open(): number {
    return this.#open;
  }

  said(intent: string): void {
    const text = intent.trim().slice(0, MOST_INTENT_CHARACTERS);
    if (text === '' || this.#intents.at(-1) === text) return;
    this.#intents = [...this.#intents, text].slice(-MOST_INTENTS);
  }

  /** A call that begins after another ended may use its result, so it starts another turn. */
  begin(tool: ToolId, args: JsonObject): OpenCall {
    if (this.#hasEndedSince) this.#turn++;
    this.#hasEndedSince = false;
    this.#open++;
    this.#made++;
    return { tool, args, turn: this.#turn, place: this.#made, began: this.#now() };
  }

  /** A call without a result failed. */
  end({ tool, args, turn, began }: OpenCall, result: ToolResult | undefined): SessionCall {
    this.#open--;
    this.#hasEndedSince = true;
    const ok = result !== undefined && result.isError !== true;
    const call = { tool, args, ok, turn, at: Date.now(), ms: this.#now() - began };
    this.#ended.push({ call, result });
    if (this.#ended.length > MOST_CALLS) this.#ended = this.#ended.slice(-MOST_CALLS);
    return call;
  }

  /** The current situation of the session, including a call that has only begun, if given. */
  situation(begun?: OpenCall): Situation {
    this.#readEnded();
    const calls = this.#read.map(({ call }) => call);
    const next = begun && begunCall(begun);
    return {
      session: this.session,
      client: this.client,
      intent: this.#intents.join('\n'),
      calls: next ? [...calls, next] : calls,
    };
  }

  /** The situation of the session when a finished call began. */
  situationBefore({ turn }: OpenCall): Situation {
    const now = this.situation();
    return { ...now, calls: now.calls.filter((call) => call.turn < turn) };
  }

  #readEnded(): void {
    if (this.#ended.length === 0) return;
    const all = [...this.#read, ...this.#ended.map(readOutput)].slice(-MOST_CALLS);
    this.#ended = [];
    let left = MOST_CHARACTERS;
    // Newest outputs first: older ones are seldom needed.
    this.#read = all
      .toReversed()
      .map((one) => {
        left -= one.characters;
        return left >= 0 ? one : withoutOutput(one);
      })
      .toReversed();
  }
}

function begunCall({ tool, args, turn }: OpenCall): SessionCall {
  return { tool, args, ok: true, turn, at: Date.now() };
}

function readOutput({ call, result }: Ended): Read {
  if (!result || !Array.isArray(result.content)) return { call, characters: 0 };
  const output: JsonValue = outputValue(result);
  const { length } = typeof output === 'string' ? output : JSON.stringify(output);
  if (length > MOST_CHARACTERS) return { call, characters: 0 };
  return { call: { ...call, output }, characters: length };
}

function withoutOutput({ call }: Read): Read {
  const { output: _dropped, ...rest } = call;
  return { call: rest, characters: 0 };
}
