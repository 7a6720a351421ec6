/** One call that went through PML. The daemon keeps the last ones in memory. */
export interface ActivityRow {
  /** Grows with every call of this daemon: `a1`, `a2`. */
  readonly id: string;
  /** When the call began; ISO 8601. */
  readonly at: string;
  readonly ms: number;
  /** The name of the client; `pml` for a run that no client waits for. */
  readonly client: string;
  readonly way: ActivityWay;
  /** `server:tool`, or the name of a meta-tool. */
  readonly tool: string;
  /** Missing for meta-tools. */
  readonly server?: string;
  readonly outcome: ActivityOutcome;
  /** Why it failed, shortened. */
  readonly error?: string;
  readonly requestBytes: number;
  /** 0 while there is no response. */
  readonly responseBytes: number;
  /** PML made the call before the agent asked for it. */
  readonly isSpeculated?: boolean;
  readonly run?: string;
  readonly task?: string;
}

/**
 * `meta`: a client called a tool of PML. `direct`: a client called a tool of a server by its name.
 * `run`: a task or a script of a run called it.
 */
export type ActivityWay = 'meta' | 'direct' | 'run';

/** `error`: the tool answered with `isError`. `failed`: there was no answer. */
export type ActivityOutcome = 'ok' | 'error' | 'failed' | 'cancelled';

export interface ActivityFilter {
  /** Words that stand in the tool, the client, the run or the error. */
  readonly text?: string;
  readonly client?: string;
  readonly tool?: string;
  readonly server?: string;
  readonly run?: string;
  readonly way?: ActivityWay;
  readonly outcome?: ActivityOutcome;
  /** Only calls older than this one. */
  readonly before?: string;
  readonly limit?: number;
}

export interface ActivityPage {
  /** Newest first. */
  readonly rows: readonly ActivityRow[];
  /** Give this as `before` to read on; missing at the end. */
  readonly next?: string;
  /** How many calls the daemon keeps, and how many it made since it started. */
  readonly kept: number;
  readonly total: number;
  /** Every client and every server of the kept calls, for filters. */
  readonly clients: readonly string[];
  readonly servers: readonly string[];
}

/** Request and response as far as the daemon keeps them; JSON as text, with secrets masked. */
export interface ActivityDetails extends ActivityRow {
  readonly request?: RawMessage;
  readonly response?: RawMessage;
}

export interface RawMessage {
  readonly text: string;
  /** The text is only the beginning. */
  readonly isCut: boolean;
}
