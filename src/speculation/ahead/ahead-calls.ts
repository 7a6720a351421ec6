import {
  type JsonObject,
  type Logger,
  messageOf,
  parseToolId,
  PmlError,
  type ServerName,
  type SpeculationSettings,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import type { AheadFate, AheadJournal } from './activity.js';
import { type AheadBudget, fitsPlan, FRESH_BUDGET, isSpent, spendAhead } from './ahead-budget.js';
import { type AheadBasis, type AheadCall, aheadKey, type AheadState } from './ahead-call.js';
import { aheadCaller } from './ahead-caller.js';
import { type AheadTool, refuseAhead } from './guard.js';
import type { ServerTraffic } from './server-traffic.js';

/** Calls that wait, are under way or are kept, of all sessions. */
const MOST_CALLS = 200;
/** A longer result is not kept. */
const MOST_BYTES = 1_000_000;

export interface AheadPorts {
  readonly settings: () => SpeculationSettings;
  readonly traffic: ServerTraffic;
  readonly journal: AheadJournal;
  readonly log: Logger;
  readonly toolOf: (tool: ToolId) => AheadTool | undefined;
  /** Makes a call; `check` throws, right before it leaves, if it must not. */
  readonly send: (call: SentAhead) => Promise<ToolResult>;
  readonly mask: (text: string) => string;
  readonly now: () => number;
  readonly newId: () => string;
  /** Calls `work` later and never keeps the process alive for it; gives back how to cancel it. */
  readonly later: (ms: number, work: () => void) => () => void;
}

export interface SentAhead {
  readonly tool: ToolId;
  readonly args: JsonObject;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly check: () => void;
}

export interface AheadWish {
  readonly caller: Caller;
  readonly tool: ToolId;
  readonly args: JsonObject;
  readonly plan: AheadCall['plan'];
  readonly onEnd?: () => void;
}

export interface TakenAhead {
  readonly result: ToolResult;
  readonly ageMs: number;
}

/**
 * Makes calls before their clients do, and keeps the results apart until exactly those calls come.
 *
 * A call leaves only for a server on which no client's call is under way, so it never takes a place
 * that one waits for. Any call of a client that reaches the server makes what is kept of it invalid
 * and cancels what is under way; only the client's own identical call joins it instead.
 */
export class AheadCalls {
  readonly #ports: AheadPorts;
  readonly #calls = new Map<string, AheadCall>();
  /** Tools whose server asked something while PML called them: never again. */
  readonly #asking = new Set<ToolId>();
  #budget: AheadBudget = FRESH_BUDGET;

  constructor(ports: AheadPorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Why the call may not be made ahead; undefined if it may. */
  refusal(tool: ToolId, args: JsonObject): string | undefined {
    if (this.#asking.has(tool)) return 'its server asked something when PML called it';
    const { settings, mask, toolOf } = this.#ports;
    const { allow, deny, mode } = settings();
    if (mode !== 'on') return 'speculation is not on';
    return refuseAhead(tool, args, toolOf(tool), { allow, deny, mask });
  }

  /** Makes the call as soon as its server is quiet. Nothing if it may not be made, or not now. */
  request({ caller, tool, args, plan, onEnd }: AheadWish): AheadCall | undefined {
    const key = aheadKey(caller, tool, args);
    if (this.#calls.has(key) || this.#calls.size >= MOST_CALLS) return undefined;
    if (this.refusal(tool, args) !== undefined) return undefined;
    const call: AheadCall = {
      id: this.#ports.newId(),
      key,
      caller,
      tool,
      args,
      plan,
      server: parseToolId(tool).server,
      onEnd,
      state: { status: 'waiting' },
      spentMs: 0,
      savedMs: 0,
    };
    this.#calls.set(key, call);
    this.pump(call.server);
    if (!this.#calls.has(key)) return undefined;
    // One that waits for longer than its result would live is not worth making any more.
    this.#ports.later(this.#ports.settings().ttlMs, () => {
      if (call.state.status === 'waiting') this.#end(call, 'unused');
    });
    return call;
  }

  /**
   * What was fetched for exactly this call of a client: a result, or one that is under way. Nothing
   * if there is none that is still valid; then the client's call must be made.
   */
  take(
    caller: Caller,
    tool: ToolId,
    { args, signal }: { readonly args: JsonObject; readonly signal: AbortSignal },
  ): {
    readonly isForeseen: boolean;
    readonly taken?: TakenAhead | Promise<TakenAhead | undefined>;
  } {
    if (this.#calls.size === 0) return { isForeseen: false };
    const call = this.#calls.get(aheadKey(caller, tool, args));
    if (!call) return { isForeseen: false };
    const { state } = call;
    if (state.status === 'kept' && this.#isValid(call, state.basis)) {
      call.savedMs = call.spentMs;
      this.#end(call, 'served');
      return { isForeseen: true, taken: this.#taken(state.result, state.basis) };
    }
    if (state.status === 'sent' && this.#isValid(call, state.basis)) {
      return { isForeseen: true, taken: this.#join(call, state, signal) };
    }
    this.#end(call, state.status === 'waiting' ? 'unused' : 'stale');
    return { isForeseen: true };
  }

  /**
   * A client's call goes to the server: nothing that was fetched from it before may be served after
   * it. If the call may write, that holds for every server.
   */
  touched(server: ServerName, { mayWrite = false } = {}): void {
    for (const call of this.#calls.values()) {
      const { state } = call;
      if ((call.server !== server && !mayWrite) || state.status === 'waiting') continue;
      // The client's call began before this one did: it is as good as any call under way.
      if (state.status === 'sent' && state.isJoined) continue;
      this.#end(call, 'stale');
    }
  }

  /** The session called something else: what it would have called is no longer worth fetching. */
  turnedElsewhere(session: string): void {
    for (const call of this.#calls.values()) {
      if (call.caller.session !== session || call.state.status === 'kept') continue;
      if (call.state.status === 'sent' && call.state.isJoined) continue;
      this.#end(call, 'unused');
    }
  }

  left(session: string): void {
    for (const call of this.#calls.values()) {
      if (call.caller.session === session) this.#end(call, 'unused');
    }
  }

  /** Sends what waits for the server, if it is quiet and the budget allows it. */
  pump(server: ServerName): void {
    const { settings, traffic, now } = this.#ports;
    for (const call of this.#calls.values()) {
      if (call.server !== server || call.state.status !== 'waiting') continue;
      const { concurrency } = settings();
      if (!traffic.isQuiet(server) || this.#sentTo(server) >= concurrency) return;
      const isTooMuch =
        isSpent(this.#budget, settings(), now()) || !fitsPlan(call.plan, call.tool, settings());
      if (isTooMuch || this.refusal(call.tool, call.args) !== undefined) this.#end(call, 'unused');
      else this.#send(call);
    }
  }

  /** Sends what waits, on whatever server. */
  pumpAll(): void {
    for (const server of new Set([...this.#calls.values()].map((call) => call.server))) {
      this.pump(server);
    }
  }

  #sentTo(server: ServerName): number {
    return [...this.#calls.values()].filter(
      (call) => call.server === server && call.state.status === 'sent',
    ).length;
  }

  #send(call: AheadCall): void {
    const { traffic, journal, toolOf, settings, now } = this.#ports;
    const { tool, server, caller } = call;
    const known = toolOf(tool);
    if (!known?.instance) return this.#end(call, 'unused');
    const { hash, instance } = known;
    const sentAt = now();
    const basis = { epoch: traffic.epochOf(server), hash, instance, sentAt };
    const controller = new AbortController();
    this.#budget = spendAhead(this.#budget, { calls: 1 }, sentAt);
    call.plan.money += settings().cost[tool] ?? 0;
    journal.sent({ id: call.id, at: new Date(), tool, session: caller.session }, server);
    const result = this.#fetch(call, basis, controller);
    call.state = { status: 'sent', basis, controller, result, isJoined: false };
  }

  /** Never rejects. Nothing if the result cannot be used. */
  async #fetch(
    call: AheadCall,
    basis: AheadBasis,
    controller: AbortController,
  ): Promise<ToolResult | undefined> {
    const { send, now, log } = this.#ports;
    const { tool, args } = call;
    let wasAsked = false;
    const caller = aheadCaller(call.caller, () => {
      wasAsked = true;
    });
    const check = () => {
      if (this.#isValid(call, basis)) return;
      throw new PmlError('CALL_CANCELLED', `${tool} is not called ahead any more`);
    };
    let result: ToolResult | undefined;
    try {
      result = await send({ tool, args, caller, signal: controller.signal, check });
    } catch (error) {
      // A call that no client made may fail: the client's own call will say why.
      if (!controller.signal.aborted) log.debug('call ahead failed', { error: messageOf(error) });
    }
    const ms = now() - basis.sentAt;
    const bytes = result ? JSON.stringify(result).length : 0;
    this.#budget = spendAhead(this.#budget, { ms, bytes }, now());
    call.plan.ms += ms;
    if (wasAsked || isQuestion(result)) this.#asking.add(tool);
    this.#pumpSoon(call.server);
    if (call.state.status === 'ended') return undefined;
    call.spentMs = ms;
    const isUsable = result && result.isError !== true && !wasAsked && !isQuestion(result);
    if (result && isUsable && bytes <= MOST_BYTES) return this.#keep(call, basis, result);
    this.#end(call, 'failed');
    return undefined;
  }

  #keep(call: AheadCall, basis: AheadBasis, result: ToolResult): ToolResult | undefined {
    const { later, settings } = this.#ports;
    if (call.state.status === 'sent' && call.state.isJoined) {
      this.#end(call, 'served');
      return result;
    }
    if (!this.#isValid(call, basis)) {
      this.#end(call, 'stale');
      return undefined;
    }
    const cancelExpiry = later(settings().ttlMs, () => this.#end(call, 'unused'));
    call.state = { status: 'kept', basis, result, cancelExpiry };
    return result;
  }

  /** The client's own call waits for the one that is under way; if that fails, it is made. */
  async #join(
    call: AheadCall,
    state: Extract<AheadState, { status: 'sent' }>,
    signal: AbortSignal,
  ): Promise<TakenAhead | undefined> {
    call.state = { ...state, isJoined: true };
    call.savedMs = this.#ports.now() - state.basis.sentAt;
    const onAbort = () => this.#end(call, 'unused');
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await state.result;
      if (result) return this.#taken(result, state.basis);
      call.savedMs = 0;
      return undefined;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #taken(result: ToolResult, { sentAt }: AheadBasis): TakenAhead {
    return { result, ageMs: Math.round(this.#ports.now() - sentAt) };
  }

  #isValid({ tool, args, server, state }: AheadCall, basis: AheadBasis): boolean {
    const { traffic, toolOf, settings, now } = this.#ports;
    if (state.status === 'ended' || now() - basis.sentAt > settings().ttlMs) return false;
    if (traffic.epochOf(server) !== basis.epoch || !traffic.isQuiet(server)) return false;
    const known = toolOf(tool);
    if (known?.hash !== basis.hash || known.instance !== basis.instance) return false;
    return this.refusal(tool, args) === undefined;
  }

  #end(call: AheadCall, fate: AheadFate): void {
    const { state } = call;
    if (state.status === 'ended') return;
    const { journal, now } = this.#ports;
    this.#calls.delete(call.key);
    call.state = { status: 'ended' };
    if (state.status === 'sent') {
      call.spentMs = now() - state.basis.sentAt;
      state.controller.abort(new PmlError('CALL_CANCELLED', `${call.tool} is not needed any more`));
    }
    if (state.status === 'kept') state.cancelExpiry();
    if (fate !== 'served') call.savedMs = 0;
    if (state.status !== 'waiting') {
      journal.ended(call.id, { fate, ms: call.spentMs, savedMs: call.savedMs });
    }
    call.onEnd?.();
  }

  #pumpSoon(server: ServerName): void {
    this.#ports.later(0, () => this.pump(server));
  }
}

/** The server wants to know something first. */
function isQuestion(result: ToolResult | undefined): boolean {
  return (result as { readonly resultType?: unknown } | undefined)?.resultType === 'input_required';
}
