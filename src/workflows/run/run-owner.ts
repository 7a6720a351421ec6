import { type Principal, type RunState, THE_USER } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';

/** What is written down of who begins a run: nothing for the user. */
export function ownerOf({ principal, profile }: Beginner): {
  readonly owner?: Principal;
  readonly profile?: string;
} {
  return {
    ...(principal !== THE_USER && { owner: principal }),
    ...(profile !== undefined && { profile }),
  };
}

type Beginner = Pick<Caller, 'principal' | 'profile'>;

export function isOwner({ principal, profile }: Beginner, state: RunState): boolean {
  return (state.owner ?? THE_USER) === principal && isReachable({ profile }, state);
}

/** A client of a profile decides nothing about runs that may do more. */
export function isReachable({ profile }: Pick<Caller, 'profile'>, state: RunState): boolean {
  return profile === undefined || state.profile === profile;
}
