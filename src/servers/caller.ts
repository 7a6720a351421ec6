import type { JsonObject, Principal, ProtocolEra } from '../core/index.js';

/** The client a call is made for: what its server asks or tells meanwhile goes back to it alone. */
export interface Caller {
  /** The client session; calls of one session share it. */
  readonly session: string;
  /** Who the client is, as far as it proves it. */
  readonly principal: Principal;
  /** The profile of the configuration that the client uses; missing if it has all of it. */
  readonly profile?: string | undefined;
  /** Of a run that calls without its client: who began it, and whose rights it has. */
  readonly onBehalfOf?: Principal;
  /**
   * Who answers questions: calls with the same one have the same user behind them. The session,
   * except for stateless clients over HTTP, which we cannot tell apart.
   */
  readonly user: string;
  readonly era: ProtocolEra;
  /** Who the client is and what it can do, for servers of its own. */
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  /** Forwards a request of the server (sampling, elicitation, roots) to the client. */
  ask(method: string, params: JsonObject | undefined, signal: AbortSignal): Promise<JsonObject>;
  /** Forwards a notification that belongs to the running call. */
  tell(method: string, params: JsonObject | undefined): void;
}
