export interface TokenRequest {
  readonly name: string;
  /** Globs of server names. Default: all. */
  readonly servers?: readonly string[];
  readonly readOnly?: boolean;
  /** Default: it does not expire. */
  readonly expiresInMs?: number;
}

/** A named token without its secret. */
export interface TokenRow {
  readonly name: string;
  readonly servers: readonly string[];
  readonly readOnly: boolean;
  /** ISO 8601, here and below. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}
