import {
  canonicalJson,
  type JsonObject,
  type ServerName,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { Caller } from '../../servers/index.js';

/** A call that PML makes, or means to make, before its client does. */
export interface AheadCall {
  readonly id: string;
  readonly key: string;
  readonly caller: Caller;
  readonly tool: ToolId;
  readonly server: ServerName;
  readonly args: JsonObject;
  /** Calls of one plan share what they may take. */
  readonly plan: { money: number; ms: number };
  /** Called once, when it is clear whether the client used it. */
  readonly onEnd: (() => void) | undefined;
  state: AheadState;
  /** Time of its server that it took so far. */
  spentMs: number;
  /** Time that the client did not wait; 0 unless it was served. */
  savedMs: number;
}

/** What must still be so when the result is served. */
export interface AheadBasis {
  readonly epoch: number;
  readonly hash: string;
  readonly instance: object;
  /** Milliseconds, when the call left. */
  readonly sentAt: number;
}

export type AheadState =
  /** For its server to be quiet and for a place. */
  | { readonly status: 'waiting' }
  | {
      readonly status: 'sent';
      readonly basis: AheadBasis;
      readonly controller: AbortController;
      /** Nothing if it cannot be used. */
      readonly result: Promise<ToolResult | undefined>;
      /** The client made the same call and waits for this one. */
      readonly isJoined: boolean;
    }
  | {
      readonly status: 'kept';
      readonly basis: AheadBasis;
      readonly result: ToolResult;
      readonly cancelExpiry: () => void;
    }
  | { readonly status: 'ended' };

/** Only the same call of the same session, in the same protocol era, has this key. */
export function aheadKey({ session, era }: Caller, tool: ToolId, args: JsonObject): string {
  return `${session} ${era} ${tool} ${canonicalJson(args)}`;
}
