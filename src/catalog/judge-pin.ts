import type { ToolId, ToolPin } from '../core/index.js';

export interface PinPolicy {
  /** `block`: PML does not call a tool whose definition is not approved. */
  readonly onChange: 'warn' | 'block';
  /** `ask`: a new tool on a server with pinned tools waits for an approval. */
  readonly newTools: 'allow' | 'ask';
}

export type PinVerdict = 'approved' | 'changed' | 'new' | 'blocked';

/** Definitions remembered as approved: a server may go back to any of them. */
const MOST_APPROVED = 20;

/** Compares the hash of a definition with what is pinned of its tool. */
export function judgePin(
  pin: ToolPin | undefined,
  hash: string,
  { onChange, newTools, isPinned }: PinPolicy & { readonly isPinned: boolean },
): PinVerdict {
  if (pin?.isBlocked) return 'blocked';
  if (!pin) return isPinned && newTools === 'ask' ? 'new' : 'approved';
  if (pin.approved.includes(hash)) return 'approved';
  const isUnknown = pin.approved.length === 0;
  if (isUnknown && newTools === 'ask') return 'new';
  if (onChange === 'warn') return 'approved';
  return isUnknown ? 'new' : 'changed';
}

const WHY: Readonly<Record<Exclude<PinVerdict, 'approved'>, string>> = {
  new: 'it is new on a server whose tools are pinned',
  changed: 'its definition changed',
  blocked: 'the user blocked it',
};

/** Why a tool is blocked; undefined if it is not. */
export function reasonOf(verdict: PinVerdict, id: ToolId): string | undefined {
  if (verdict === 'approved') return undefined;
  return `${WHY[verdict]}; pml tools approve ${id}`;
}

/** The pin after a server listed a definition. */
export function nextPin(pin: ToolPin | undefined, hash: string, verdict: PinVerdict): ToolPin {
  const approved = pin?.approved ?? [];
  if (verdict === 'blocked') return { approved, seen: hash, isBlocked: true };
  if (verdict !== 'approved') return { approved, seen: hash };
  // With `warn`, each new definition replaces the approved one.
  return { approved: approved.includes(hash) ? approved : [hash], seen: hash };
}

export function approvedPin(pin: ToolPin | undefined, hash: string): ToolPin {
  const others = (pin?.approved ?? []).filter((one) => one !== hash);
  return { approved: [hash, ...others].slice(0, MOST_APPROVED), seen: hash };
}

/** Withdraws the approval of the current definition; older approvals stay valid. */
export function blockedPin(pin: ToolPin | undefined, hash: string): ToolPin {
  const approved = (pin?.approved ?? []).filter((one) => one !== hash);
  return { approved, seen: hash, isBlocked: true };
}
