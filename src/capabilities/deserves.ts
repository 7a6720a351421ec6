import type { CapabilityVersion, UseStatistics } from '../core/index.js';

/** The prior for unused code: one half, with the weight of two uses. */
const PRIOR_SUCCESS = 0.5;
const PRIOR_USES = 2;
/** One proof is enough (0.67), a proof and a failure are not (0.5). */
const SHOWN_FROM = 0.6;
/** Code of a single call is offered beside its tool only after repeated use. */
const USES_OF_SINGLE_CALL = 3;
/** Code that was used once or twice and then never again expires. */
const FEW_USES = 3;
const FORGOTTEN_AFTER_MS = 60 * 24 * 60 * 60 * 1_000;

/** The expected share of successful uses. */
export function successRate({ uses, successes }: UseStatistics): number {
  return (successes + PRIOR_SUCCESS * PRIOR_USES) / (uses + PRIOR_USES);
}

export interface Merits {
  /** The lowest of itself and of all it calls. */
  readonly reliability: number;
  readonly isPinned: boolean;
  readonly now: Date;
}

/** Whether a capability is worth offering to an agent that searches for what it does. */
export function deserves(
  { statistics, sequence, contains, provenance }: CapabilityVersion,
  { reliability, isPinned, now }: Merits,
): boolean {
  if (isPinned) return true;
  const { uses, lastUsed } = statistics;
  // The user imported it, and it has not failed yet.
  if (provenance.origin === 'imported' && uses === 0) return true;
  if (reliability < SHOWN_FROM) return false;
  const isSingleCall = sequence.length <= 1 && contains.length === 0;
  if (isSingleCall && uses < USES_OF_SINGLE_CALL) return false;
  const idleMs = now.getTime() - (lastUsed ?? provenance.at).getTime();
  return uses >= FEW_USES || idleMs < FORGOTTEN_AFTER_MS;
}
