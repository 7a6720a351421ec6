/** A call that came to its end, as who made it hands it over. */
export interface FinishedCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly client: string;
  readonly way: 'meta' | 'direct' | 'run';
  readonly tool: string;
  readonly server?: string;
  readonly outcome: 'ok' | 'error' | 'failed' | 'cancelled';
  /** Why there was no answer. */
  readonly error?: string;
  /** Parameters of `tools/call`; nobody changes them later. */
  readonly request: object;
  readonly response?: object;
  readonly run?: string;
  readonly task?: string;
  readonly isSpeculated?: boolean;
}
