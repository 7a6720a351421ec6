import { isNamed, type Principal, THE_USER } from '../../core/index.js';
import type { Workflows } from '../workflows.js';

/** A run keeps the profile of the client that began it, and not the default of another day. */
export function ofRun(
  workflows: Workflows,
  profile: string | undefined,
  owner: Principal = THE_USER,
): Workflows {
  return profile === undefined && !isNamed(owner) ? workflows : workflows.within(profile, owner);
}
