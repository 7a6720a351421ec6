import type { JsonObject, ServerName, ToolId, ToolResult } from '../../core/index.js';
import type { CallContext } from '../request-context.js';

export interface ToolRequest {
  readonly id: ToolId;
  readonly server: ServerName;
  /** Of `tools/call`, with the name the server knows. */
  readonly params: JsonObject;
}

/** A result that was there before its call. */
export interface ReadyResult {
  readonly result: ToolResult;
  readonly ageMs: number;
}

/** Sees every call that is made for a client. Nothing it does may delay a call. */
export interface CallWatch {
  began(request: ToolRequest, context: CallContext, how: HowCalled): WatchedCall;
}

export interface HowCalled {
  /** By the tool's own name; otherwise as a task, or by a script. */
  readonly isDirect: boolean;
}

export interface WatchedCall {
  /** The result, if this very call was made ahead; nothing, also later, if it must be made now. */
  readonly ready: ReadyResult | Promise<ReadyResult | undefined> | undefined;
  /** What was under way did not come to a result: the call goes to its server now. */
  left(): void;
  /** Without a result it failed. `isSure`: the server is known to do nothing more for it. */
  ended(result: ToolResult | undefined, isSure: boolean): void;
}
