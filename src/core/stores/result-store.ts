/** A result that is too long for an answer, as it was given. */
export interface KeptResult {
  readonly text: string;
  readonly mimeType: string;
}

export interface StoredResult extends KeptResult {
  /** Names it, and is the right to read it. */
  readonly handle: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a store knows of a handle. What is gone is remembered for a while, so that it can be told why. */
export type FoundResult =
  | ({ readonly status: 'kept'; readonly expiresAt: Date } & KeptResult)
  | { readonly status: 'expired'; readonly expiresAt: Date }
  /** Deleted before its time, to make room. */
  | { readonly status: 'dropped' }
  | { readonly status: 'unknown' };

export interface PruneResults {
  /** What expired until then is deleted. */
  readonly now: Date;
  /** Of the rest, the newest that take no more than this. */
  readonly maxBytes: number;
  /** Of what expired until then nothing is remembered. */
  readonly forgetBefore: Date;
}

/** The durable copy of long results. Rejects with a `PmlError`. */
export interface ResultStore {
  /** Gives the bytes it takes. One that is there already stays as it is. */
  save(result: StoredResult): Promise<number>;
  load(handle: string, now: Date): Promise<FoundResult>;
  prune(options: PruneResults): Promise<void>;
}
