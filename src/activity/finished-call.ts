/** A finished call, as its caller reports it. */
export interface FinishedCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly client: string;
  readonly way: 'meta' | 'direct' | 'run';
  readonly tool: string;
  readonly server?: string | undefined;
  readonly outcome: 'ok' | 'error' | 'failed' | 'cancelled';
  /** Why there was no answer. */
  readonly error?: string | undefined;
  /** Parameters of `tools/call`; callers never change them later. */
  readonly request: object;
  readonly response?: object | undefined;
  readonly run?: string | undefined;
  readonly task?: string | undefined;
  readonly isSpeculated?: boolean | undefined;
}
