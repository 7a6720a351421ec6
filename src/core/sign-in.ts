import type { ServerName } from './ids.js';

/** A sign-in that waits for its person. */
export interface PendingSignIn {
  readonly id: string;
  /** To be opened in a browser. */
  readonly url: string;
  /** Whether the person signed in; false if that can no longer happen. */
  readonly done: Promise<boolean>;
}

/** Begins a sign-in to a server, or gives the one that already waits. */
export type BeginSignIn = (server: ServerName) => Promise<PendingSignIn>;

/** What the user configures about the sign-in to one remote server. Every reference is replaced. */
export interface OAuthSettings {
  /** A client that was registered by hand; without it PML registers itself. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Asked for at every sign-in, beside what the server names itself. */
  readonly scopes?: readonly string[] | undefined;
  /** Where the browser returns to, if not to `http://127.0.0.1:<callbackPort>/callback`. */
  readonly redirectUri?: string | undefined;
  readonly callbackPort?: number | undefined;
  /** Address of a document that describes PML as a client; its address is the client id. */
  readonly clientMetadataUrl?: string | undefined;
  /** `client_credentials`: a machine signs in with its own secret, and no person is asked. */
  readonly grant: 'authorization_code' | 'client_credentials';
  /** Allows metadata and token addresses in private networks, wherever the server is. */
  readonly allowPrivateAddresses: boolean;
}

/** An answer of a server that wants another access token. */
export interface TokenRefusal {
  readonly status: 401 | 403;
  readonly headers: Headers;
  /** The token that the refused request carried. */
  readonly token: string | undefined;
}

/** The access tokens of one remote server. */
export interface ServerTokens {
  /** A person has to sign in before PML can call the server. */
  readonly needsSignIn: boolean;
  /** Every token that PML has seen for this server, so that no text shows one. */
  readonly secrets: readonly string[];
  /** What to send with a request now; nothing if PML has never signed in. */
  current(): Promise<string | undefined>;
  /**
   * The token to repeat a refused request with; nothing if the server does not use OAuth. Rejects
   * with `SIGN_IN_NEEDED` if only a person can get such a token.
   */
  replace(refusal: TokenRefusal): Promise<string | undefined>;
}

/** Encrypted sign-ins in a database that several gateways share. */
export interface SharedSignIns {
  read(id: string): Promise<Uint8Array | undefined>;
  /** Writes, or removes if there is nothing to write. False if the owner has lost its lease. */
  write(id: string, owner: string, sealed: Uint8Array | undefined): Promise<boolean>;
  /** Takes or extends the lease. False while another owner has it. */
  lease(id: string, owner: string, ms: number): Promise<boolean>;
  release(id: string, owner: string): Promise<void>;
}
