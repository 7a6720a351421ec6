/** A finished call, as its caller reports it. */
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
  /** Parameters of `tools/call`; callers never change them later. */
  readonly request: object;
  readonly response?: object;
  readonly run?: string;
  readonly task?: string;
  readonly isSpeculated?: boolean;
}
