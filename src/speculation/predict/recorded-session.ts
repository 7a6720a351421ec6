/** Whole sessions as memory: replayed call by call, and parted to see how far guesses can be believed. */
import { assignFolds } from '../../learning/index.js';
import type { SessionCall } from '../situation.js';
import { isSameArgs } from './argument-model.js';
import type { CallModel, Proposal } from './call-model.js';
import { callConfidence, type CallExample, fitConfidence } from './confidence.js';
import { leavesOfArgs } from './leaves.js';
import { turnsOf } from './tool-chances.js';

export interface RecordedSession {
  readonly intent: string;
  readonly calls: readonly SessionCall[];
  /** Sessions for the same task must not judge each other. */
  readonly group: string;
  /** Whether it ended after its last call; else it was cut off there. */
  readonly hasEnded: boolean;
}

export function replaySession(
  model: CallModel,
  { intent, calls, hasEnded }: RecordedSession,
): void {
  calls.forEach((call, at) => {
    model.observe({ calls: calls.slice(0, at), intent }, call);
  });
  if (hasEnded) model.observeEnd({ calls, intent });
}

/** A moment between two turns of a session, and the calls that came then; none at its end. */
export interface PastMoment {
  readonly calls: readonly SessionCall[];
  readonly intent: string;
  readonly next: readonly SessionCall[];
}

export function momentsOf({ intent, calls, hasEnded }: RecordedSession): readonly PastMoment[] {
  const turns = turnsOf(calls);
  return turns.flatMap((turn, at) => {
    const next = turns[at + 1] ?? [];
    if (next.length === 0 && !hasEnded) return [];
    return [{ intent, next, calls: calls.slice(0, calls.indexOf(turn.at(-1)!) + 1) }];
  });
}

export interface RankedProposal extends Proposal {
  readonly confidence: number;
}

/** Most confident first. */
export function rankProposals(
  proposals: readonly Proposal[],
  weights: Float64Array,
): readonly RankedProposal[] {
  return proposals
    .map((proposal) => ({ ...proposal, confidence: callConfidence(proposal.signals, weights) }))
    .toSorted((one, other) => other.confidence - one.confidence);
}

export function cameTrue({ tool, args }: Proposal, next: readonly SessionCall[]): boolean {
  const leaves = leavesOfArgs(args);
  return next.some((call) => call.tool === tool && isSameArgs(leaves, leavesOfArgs(call.args)));
}

export interface HeldOutOptions {
  readonly create: () => CallModel;
  readonly folds: number;
  readonly prior: Float64Array;
}

/** Of each moment so many proposals are looked at: more are never used. */
const LOOKED_AT = 3;

/** What was proposed in sessions of one fold by a model that knows only the others. */
function heldOutExamples(
  sessions: readonly RecordedSession[],
  { create, folds, prior }: HeldOutOptions,
): readonly CallExample[] {
  const foldOf = assignFolds(
    sessions.map(({ group }) => group),
    folds,
  );
  return Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const model = create();
    for (const one of sessions) if (foldOf.get(one.group) !== fold) replaySession(model, one);
    return sessions
      .filter(({ group }) => foldOf.get(group) === fold)
      .flatMap(momentsOf)
      .flatMap((moment) =>
        rankProposals(model.propose(moment), prior)
          .slice(0, LOOKED_AT)
          .map((one) => ({ signals: one.signals, isRight: cameTrue(one, moment.next) })),
      );
  });
}

/** Weights of the confidence, fitted to held-out sessions, never to those the model has seen. */
export function learnCallConfidence(
  sessions: readonly RecordedSession[],
  options: HeldOutOptions,
): Float64Array {
  return fitConfidence(heldOutExamples(sessions, options), options.prior);
}
