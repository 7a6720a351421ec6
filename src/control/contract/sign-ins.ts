/** What a person needs to sign in to a server. */
export interface SignInBegun {
  readonly id: string;
  readonly url: string;
  /** To be typed at the address. */
  readonly code?: string;
  /** Where the browser returns to. */
  readonly redirectUri?: string;
}

export type SignInProgress =
  | { readonly status: 'waiting' }
  | { readonly status: 'signed_in' }
  | { readonly status: 'failed'; readonly error: string };

export interface SignInRow {
  readonly server: string;
  readonly state: 'signed_in' | 'needs_sign_in' | 'not_needed' | 'configured';
  readonly issuer?: string;
  readonly scope?: string;
  /** ISO 8601, of the access token; PML renews it before. */
  readonly expiresAt?: string;
  readonly isRenewable?: boolean;
}

export interface SignInList {
  readonly signIns: readonly SignInRow[];
  /** Where tokens are kept, in words. */
  readonly place: string;
}

export interface SignOutAnswer {
  readonly wasSignedIn: boolean;
  /** What the authorization server did with the tokens; missing if there were none, and from old builds. */
  readonly revocation?: 'revoked' | 'not_offered' | 'failed';
  /** Why they are not revoked there. */
  readonly why?: string;
}
