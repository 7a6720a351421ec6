import {
  isJsonObject,
  type JsonObject,
  type Logger,
  maySpeculate,
  messageOf,
  type ServerName,
  type SpeculationSettings,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import type { Caller } from '../servers/index.js';
import type {
  CallContext,
  CallWatch,
  HowCalled,
  ToolRequest,
  WatchedCall,
} from '../tools/index.js';
import { type AheadActivity, AheadJournal } from './ahead/activity.js';
import { NEW_PLAN } from './ahead/ahead-budget.js';
import type { AheadCall } from './ahead/ahead-call.js';
import { AheadCalls, type AheadPorts } from './ahead/ahead-calls.js';
import { holdsSecret } from './ahead/secret-args.js';
import { ServerTraffic } from './ahead/server-traffic.js';
import type { Episode, SpeculationLedger } from './episode.js';
import { chooseOffers, type Offer } from './offer/choose-offers.js';
import {
  type ActualCall,
  type JudgedCall,
  type PendingPrediction,
  settledEpisode,
} from './pending-predictions.js';
import { isPlainRequest } from './plain-request.js';
import { type FollowedSession, FollowedSessions } from './record/followed-sessions.js';
import { ObserveBudget } from './record/observe-budget.js';
import type { OpenCall } from './record/session-record.js';
import type { CallPredictor, PredictedCall, Situation } from './situation.js';

/** The maximum number of predicted calls that PML makes ahead. */
const MOST_AHEAD = 2;
/**
 * A client that sends its next request sooner does not think: a program calls in a loop. A
 * prediction takes milliseconds of the daemon, which would delay such a client.
 */
const THINKING_MS = 10;

export interface ForesightParts extends Pick<
  AheadPorts,
  'toolOf' | 'send' | 'mask' | 'newId' | 'later'
> {
  /** Whether clients have meta-tools, which alone may carry offers. */
  readonly settings: () => SpeculationSettings & { readonly hasMetaTools: boolean };
  readonly predictor: CallPredictor;
  readonly ledger: SpeculationLedger;
  /** Whether an agent could call the tool. */
  readonly isCallable: (tool: ToolId) => boolean;
  /** The calls that are likely next: their servers may be warmed. */
  readonly onForeseen?: (calls: readonly PredictedCall[], caller: Caller) => void;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A call that a client will most likely make, with all arguments known. */
export interface ForeseenStep {
  readonly tool: ToolId;
  readonly args: JsonObject;
  readonly confidence: number;
}

/**
 * Everything PML does before a client asks, for all sessions: it follows client calls, predicts the
 * next ones while clients think, offers them, and makes read-only calls ahead. No client waits for
 * this: predictions run after a response or beside a call.
 */
export class Foresight implements CallWatch {
  readonly #parts: ForesightParts;
  readonly #journal: AheadJournal;
  readonly #traffic: ServerTraffic;
  readonly #ahead: AheadCalls;
  readonly #sessions: FollowedSessions;
  readonly #observing: ObserveBudget;

  constructor(parts: ForesightParts) {
    const { log, now } = parts;
    this.#parts = parts;
    this.#journal = new AheadJournal(log);
    this.#traffic = new ServerTraffic(now);
    this.#sessions = new FollowedSessions(now);
    this.#observing = new ObserveBudget(now);
    this.#ahead = new AheadCalls({
      ...parts,
      traffic: this.#traffic,
      journal: this.#journal,
    });
  }

  /** The calls PML made by itself since it started. */
  get activity(): AheadActivity {
    return this.#journal.activity;
  }

  /** Followed sessions, and results or pending calls held for them. */
  get held(): { readonly followedSessions: number; readonly callsAhead: number } {
    return { followedSessions: this.#sessions.size, callsAhead: this.#ahead.size };
  }

  /** A client request has arrived. */
  asked(caller: Caller, intent?: unknown): void {
    const session = this.#sessionOf(caller);
    if (!session) return;
    const { answeredAt, openRequests } = session;
    session.hasThought = openRequests === 0 && this.#parts.now() - answeredAt >= THINKING_MS;
    session.openRequests++;
    session.thinking?.();
    session.thinking = undefined;
    if (typeof intent === 'string') session.record.said(this.#parts.mask(intent));
  }

  /** A client request was answered: from now on the client thinks. */
  answered(caller: Caller): void {
    const session = this.#sessionOf(caller);
    if (!session) return;
    // The request may have arrived before PML followed the session.
    session.openRequests = Math.max(0, session.openRequests - 1);
    if (session.openRequests > 0) return;
    session.answeredAt = this.#parts.now();
    session.thinking?.();
    session.thinking = this.#parts.later(THINKING_MS, () =>
      this.#behind(() => this.#foresee(session, caller)),
    );
  }

  /** A client has left. */
  left(sessionId: string): void {
    const session = this.#sessions.forget(sessionId);
    session?.thinking?.();
    this.#ahead.left(sessionId);
    if (session) this.#settle(session, undefined);
  }

  /** A server reported a change. */
  serverChanged(server: ServerName): void {
    this.#traffic.changed(server);
    this.#ahead.touched(server);
  }

  began(request: ToolRequest, context: CallContext, how: HowCalled): WatchedCall {
    const { id: tool, server, params } = request;
    const { caller, signal } = context;
    const args = isJsonObject(params['arguments']) ? params['arguments'] : {};
    const session = this.#sessionOf(caller);
    const { isForeseen, taken } =
      session && isPlainRequest(params)
        ? this.#ahead.take(caller, tool, { args, signal })
        : { isForeseen: false };
    if (session && !isForeseen) this.#ahead.turnedElsewhere(caller.session);
    const call = session?.record.begin(tool, args);
    if (session && call) this.#called(session, call, how);
    let isOnServer = false;
    const mayWrite = !this.#onlyReads(tool);
    const left = () => {
      isOnServer = true;
      this.#traffic.began(server, { mayWrite });
      this.#ahead.touched(server, { mayWrite });
    };
    if (!taken) left();
    const ended = (result: ToolResult | undefined, isSure: boolean) => {
      if (isOnServer) {
        this.#traffic.ended(server, { isSure: isSure || !mayWrite, mayWrite });
        // A call that is requested later looks for its server itself.
        if (this.#ahead.size > 0) this.#behind(() => this.#ahead.pumpAll());
      }
      if (session && call) this.#ended(session, call, result);
    };
    return { ready: taken, left, ended };
  }

  /** What the response to this client may offer: only existing predictions. */
  offers(caller: Caller): readonly Offer[] {
    const { settings, ledger, isCallable } = this.#parts;
    const current = settings();
    if (!current.hasMetaTools || !maySpeculate(current, 'suggest')) return [];
    const session = this.#sessionOf(caller);
    const foreseen = session?.foreseen;
    if (!session || !foreseen || foreseen.made !== session.record.made) return [];
    const { situation } = foreseen;
    const judged = foreseen.calls
      .filter(({ tool, args }) => isCallable(tool) && !this.#isSecret(args))
      .map((one) => this.#judge(situation, one));
    const isSure = (one: PredictedCall) => one.confidence >= ledger.thresholdFor('offer', one.tool);
    const offers = chooseOffers(judged, isSure);
    const isOffered = (one: PredictedCall) => offers.some(({ args }) => args === one.args);
    judged.forEach((predicted, place) => {
      if (place > 0 && !isOffered(predicted)) return;
      session.pending.push({
        rung: 'offer',
        at: new Date(),
        situation,
        predicted,
        threshold: ledger.thresholdFor('offer', predicted.tool),
        wasDone: isOffered(predicted),
      });
    });
    return offers;
  }

  /** Read-only steps that a client is likely to take soon: of a plan, or after an approval. */
  stepsForeseen(caller: Caller, steps: readonly ForeseenStep[], why: string): void {
    const { settings } = this.#parts;
    const session = this.#sessionOf(caller);
    if (!session || settings().mode !== 'on') return;
    this.#behind(() => {
      const plan = { ...NEW_PLAN };
      for (const step of steps) this.#makeStep(session, caller, { step, plan, why });
    });
  }

  #makeStep(
    session: FollowedSession,
    caller: Caller,
    { step, plan, why }: { step: ForeseenStep; plan: { money: number; ms: number }; why: string },
  ): void {
    const { ledger } = this.#parts;
    const { tool, args } = step;
    if (this.#ahead.refusal(tool, args) !== undefined) return;
    const situation = session.record.situation();
    const foreseen = { ...step, toolConfidence: step.confidence, why };
    const predicted = this.#judge(situation, foreseen);
    const threshold = ledger.thresholdFor('speculate', tool);
    if (predicted.confidence < threshold) return;
    let call: AheadCall | undefined;
    const onEnd = () => {
      if (!call) return;
      const actual = call.savedMs > 0 ? step : undefined;
      const done = { rung: 'speculate' as const, at, situation, predicted, threshold, call };
      const episode = settledEpisode({ ...done, wasDone: true }, actual, this.#parts.newId());
      this.#behind(() => this.#tell(episode));
    };
    const at = new Date();
    call = this.#ahead.request({ caller, tool, args, plan, onEnd });
  }

  #called(session: FollowedSession, call: OpenCall, { isDirect }: HowCalled): void {
    const { settings } = this.#parts;
    const pending = session.pending.splice(0);
    const current = settings();
    const mayOffer =
      session.hasThought && !isDirect && current.hasMetaTools && maySpeculate(current, 'suggest');
    if (pending.length === 0 && !mayOffer) return;
    this.#behind(async () => {
      this.#settleAll(pending, call);
      // Beside the call, so that its response finds the prediction ready.
      if (mayOffer && session.record.made === call.place) await this.#predict(session, call);
    });
  }

  #ended(session: FollowedSession, call: OpenCall, result: ToolResult | undefined): void {
    const made = session.record.end(call, result);
    if (!this.#observing.take()) return;
    this.#behind(() => this.#parts.predictor.observe(session.record.situationBefore(call), made));
  }

  /** Between two requests of a session: predicts the next calls and acts on them. */
  async #foresee(session: FollowedSession, caller: Caller): Promise<void> {
    const isThinking = () => session.openRequests === 0 && session.record.open === 0;
    if (!isThinking()) return;
    const foreseen = await this.#predict(session);
    if (!foreseen || !isThinking() || session.record.made !== foreseen.made) return;
    this.#parts.onForeseen?.(foreseen.calls, caller);
    if (this.#parts.settings().mode === 'on') this.#makeAhead(session, caller);
  }

  #makeAhead(session: FollowedSession, caller: Caller): void {
    const { ledger } = this.#parts;
    const { foreseen } = session;
    if (!foreseen) return;
    const { situation, calls } = foreseen;
    const eligible = calls.filter(
      ({ tool, args }) => this.#ahead.refusal(tool, args) === undefined,
    );
    const plan = { ...NEW_PLAN };
    eligible.slice(0, MOST_AHEAD).forEach((one, place) => {
      const predicted = this.#judge(situation, one);
      const threshold = ledger.thresholdFor('speculate', one.tool);
      const isSure = predicted.confidence >= threshold;
      if (!isSure && place > 0) return;
      const { tool, args } = one;
      const call = isSure ? this.#ahead.request({ caller, tool, args, plan }) : undefined;
      // Neither made nor held back by its threshold: this says nothing about the threshold.
      if (isSure && !call) return;
      session.pending.push({
        rung: 'speculate',
        at: new Date(),
        situation,
        predicted,
        threshold,
        wasDone: call !== undefined,
        ...(call && { call }),
      });
    });
  }

  async #predict(session: FollowedSession, begun?: OpenCall) {
    const { made } = session.record;
    const situation = session.record.situation(begun);
    const calls = await this.#parts.predictor.predict(situation);
    if (session.record.made !== made) return undefined;
    session.foreseen = { made, situation, calls };
    return session.foreseen;
  }

  #settle(session: FollowedSession, actual: ActualCall | undefined): void {
    this.#settleAll(session.pending.splice(0), actual);
  }

  #settleAll(pending: readonly PendingPrediction[], actual: ActualCall | undefined): void {
    const { settings, newId } = this.#parts;
    for (const one of pending) {
      const isLate = one.wasDone && Date.now() - one.at.getTime() > settings().ttlMs;
      const came = isLate && one.rung === 'speculate' ? undefined : actual;
      this.#tell(settledEpisode(one, came, newId()));
    }
  }

  /** The prediction, corrected by past episodes. */
  #judge(situation: Situation, one: PredictedCall): JudgedCall {
    const confidence = this.#parts.ledger.corrected(situation, one);
    return { ...one, confidence, claimed: one.confidence };
  }

  #tell(episode: Episode): void {
    this.#parts.ledger.settled(episode);
  }

  #isSecret(args: JsonObject): boolean {
    return holdsSecret(args, this.#parts.mask);
  }

  /** Whether a call of the tool without a response cannot have changed anything. */
  #onlyReads(tool: ToolId): boolean {
    return this.#parts.toolOf(tool)?.admission.isReading === true;
  }

  #sessionOf(caller: Caller): FollowedSession | undefined {
    return this.#parts.settings().mode === 'off' ? undefined : this.#sessions.of(caller);
  }

  /** Runs the work after everything that is already queued. */
  #behind(work: () => void | Promise<void>): void {
    setImmediate(() => {
      void (async () => work())().catch((error: unknown) =>
        this.#parts.log.warn('prediction failed', { error: messageOf(error) }),
      );
    });
  }
}
