/** What the main thread asks of the thread that holds PGlite. Requests are answered in order. */
export type PgliteRequest =
  | { readonly kind: 'open'; readonly directory: string }
  | { readonly kind: 'query'; readonly sql: string; readonly params: readonly unknown[] }
  | { readonly kind: 'exec'; readonly sql: string }
  /** One row: what the database and its thread take of the memory. */
  | { readonly kind: 'memory' }
  /** Gives back memory that is not needed. */
  | { readonly kind: 'collect' }
  | { readonly kind: 'close' };

export interface PgliteResult {
  readonly rows: readonly unknown[];
  readonly affectedRows?: number;
  /** `SELECT`, `INSERT`, …; absent when PGlite does not say. */
  readonly command?: string;
}

/** The parts of an error that survive the way between threads. */
export interface PgliteFailure {
  readonly message: string;
  /** SQLSTATE, or the code of a file system error. */
  readonly code?: string;
  readonly detail?: string;
  /** The database cannot go on: whatever is asked of it next would fail as well. */
  readonly isFatal?: true;
}

export interface PgliteCall {
  readonly id: number;
  readonly request: PgliteRequest;
}

export type PgliteReply =
  | { readonly id: number; readonly result: PgliteResult }
  | { readonly id: number; readonly failure: PgliteFailure };
