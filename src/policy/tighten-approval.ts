import type { ApprovalMode } from '../core/index.js';

/** From the fewest stops to the most. */
const STOPS: readonly ApprovalMode[] = ['never', 'risky', 'per_layer'];

/** Whether a request asks for fewer stops than the configuration has. */
export function isLooser(asked: ApprovalMode, configured: ApprovalMode): boolean {
  return STOPS.indexOf(asked) < STOPS.indexOf(configured);
}

/** The one of the two that stops more often: a request can only tighten what is configured. */
export function tightenApproval(
  configured: ApprovalMode,
  asked: ApprovalMode | undefined,
): ApprovalMode {
  return asked === undefined || isLooser(asked, configured) ? configured : asked;
}
