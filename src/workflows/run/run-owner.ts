import { type Principal, type RunState, THE_USER } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';

/** What is written down of who begins a run: nothing for the user. */
export function ownerOf({ principal }: Pick<Caller, 'principal'>): { readonly owner?: Principal } {
  return principal === THE_USER ? {} : { owner: principal };
}

export function isOwner(principal: Principal, { owner = THE_USER }: RunState): boolean {
  return owner === principal;
}
