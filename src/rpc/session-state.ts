import type { JsonObject } from '../core/index.js';

/** What must survive when the process behind a session is replaced. */
export interface SessionState {
  readonly protocolVersion: string | undefined;
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly logLevel: string | undefined;
  readonly subscriptions: readonly string[];
}
