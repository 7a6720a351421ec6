export interface TokenRequest {
  readonly name: string;
  /** Globs of server names. Default: all. */
  readonly servers?: readonly string[];
  readonly readOnly?: boolean;
  /** Name of a profile of the configuration. */
  readonly profile?: string;
  /** Default: it does not expire. */
  readonly expiresInMs?: number;
}

/** A named token without its secret. */
export interface TokenRow {
  readonly name: string;
  readonly servers: readonly string[];
  readonly readOnly: boolean;
  readonly profile?: string;
  /** ISO 8601, here and below. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}
