import { type ApprovalMode, PmlError } from '../../core/index.js';
import { isLooser, tightenApproval } from '../../policy/index.js';

/**
 * Before what a run stops: what the configuration says, or more if the request wants more. `never` is
 * no choice of a request; one that names it must not believe that it got it.
 */
export function requestedApproval(
  configured: ApprovalMode,
  asked: ApprovalMode | undefined,
): ApprovalMode {
  if (asked !== 'never' || !isLooser(asked, configured)) return tightenApproval(configured, asked);
  throw new PmlError(
    'BAD_REQUEST',
    `approve: "never" stops less often than the configuration says ("${configured}"), and a request can only stop more often. Leave it out. Only the user can change it: "workflows.approve" or "permissions.allow" in the configuration, or "pml run --approve never"`,
  );
}
