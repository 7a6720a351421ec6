import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

import { messageOf, PmlError, type ServerName } from '../../core/index.js';
import { assertPkce, type OAuthClient, type Discovered } from '../authorization-server.js';
import { unionOfScopes } from '../challenge.js';
import { identify } from '../client-identity.js';
import type { Fetch } from '../net/guarded-fetch.js';
import { loadSdk } from '../sdk.js';
import type { ServerSignIn } from '../server-sign-in.js';
import type { SignInRecord, TokenSet } from '../sign-in-record.js';
import { redeemCode, TokenRequestError } from '../token-requests.js';
import { type CallbackListener, listenForCallback, type Returned } from './callback-listener.js';

/** A person who has not signed in by then starts again. */
export const PATIENCE_MS = 10 * 60_000;

export type FlowOutcome =
  | { readonly status: 'waiting' }
  | { readonly status: 'signed_in' }
  | { readonly status: 'failed'; readonly error: PmlError };

/** What a person needs to sign in. */
export interface FlowAddress {
  readonly id: string;
  readonly url: string;
  /** To be typed at the address, on a device without a browser of its own. */
  readonly code?: string;
  /** Where the browser returns to, if it returns. */
  readonly redirectUri?: string;
}

/** One sign-in that waits for a person, from the address to the tokens. */
export interface SignInFlow extends AsyncDisposable {
  readonly server: ServerName;
  readonly address: FlowAddress;
  readonly outcome: FlowOutcome;
  /** What the server wanted when the flow began. */
  readonly wantedScope: string | undefined;
  /** Resolves when the person has signed in, or cannot any more. */
  readonly done: Promise<FlowOutcome>;
  /** Takes the address that the browser was sent back to. */
  paste(redirected: string): Promise<FlowOutcome>;
}

export interface FlowPorts {
  readonly signIn: ServerSignIn;
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** The sign-in with a browser: authorization code with PKCE. */
export class BrowserFlow implements SignInFlow {
  readonly server: ServerName;
  readonly wantedScope: string | undefined;
  readonly done: Promise<FlowOutcome>;
  readonly #ports: FlowPorts;
  readonly #found: Discovered;
  readonly #scope: string | undefined;
  readonly #state = randomBytes(32).toString('base64url');
  readonly #id = randomUUID();
  #outcome: FlowOutcome = { status: 'waiting' };
  #settle: (outcome: FlowOutcome) => void = () => {};
  #listener: CallbackListener | undefined;
  #client: OAuthClient | undefined;
  #url = '';
  #verifier = '';
  #finishing: Promise<FlowOutcome> | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(ports: FlowPorts, found: Discovered) {
    this.#ports = ports;
    this.#found = found;
    this.server = ports.signIn.spec.name;
    this.wantedScope = ports.signIn.wantedScope;
    this.#scope = requestedScope(ports.signIn, found);
    this.done = new Promise((resolve) => (this.#settle = resolve));
    this.#timer = setTimeout(
      () => this.#end(failed('the user did not sign in in time')),
      PATIENCE_MS,
    );
    this.#timer.unref();
  }

  static async begin(ports: FlowPorts, found: Discovered): Promise<BrowserFlow> {
    assertPkce(found.authorization);
    const flow = new BrowserFlow(ports, found);
    try {
      await flow.#open();
      return flow;
    } catch (error) {
      await flow[Symbol.asyncDispose]();
      throw error instanceof PmlError ? error : failure(messageOf(error), error);
    }
  }

  get address(): FlowAddress {
    const redirectUri = this.#listener?.redirectUri ?? '';
    return { id: this.#id, url: this.#url, redirectUri };
  }

  get outcome(): FlowOutcome {
    return this.#outcome;
  }

  async paste(redirected: string): Promise<FlowOutcome> {
    const text = redirected.trim();
    if (!URL.canParse(text)) {
      throw new PmlError('BAD_REQUEST', 'Paste the whole address that the browser shows');
    }
    const returned = await this.#take(new URL(text).searchParams);
    if (returned) return this.#outcome;
    throw new PmlError(
      'BAD_REQUEST',
      'This address does not belong to this sign-in: its state is another one. Use the address of the newest sign-in',
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end(failed('it was cancelled'));
    await this.#listener?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<void> {
    const { signIn, fetch } = this.#ports;
    const { settings } = signIn;
    const { authorization, resource } = this.#found;
    this.#listener = await listenForCallback({
      redirectUri: settings.redirectUri,
      port: settings.callbackPort,
      onReturn: (params) => this.#take(params),
    });
    const { redirectUri } = this.#listener;
    const record = await signIn.record();
    const known = record?.issuer === authorization.metadata.issuer ? record.client : undefined;
    this.#client = await identify(authorization, {
      settings,
      redirectUri,
      known,
      fetch,
    });
    const sdk = await loadSdk();
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(authorization.url, {
      metadata: authorization.metadata,
      clientInformation: { client_id: this.#client.clientId },
      redirectUrl: redirectUri,
      state: this.#state,
      ...(this.#scope !== undefined && { scope: this.#scope }),
      // As the metadata writes it: an address object would add a slash.
      ...(resource !== undefined && { resource: resource as unknown as URL }),
    });
    if (!/^https?:$/.test(authorizationUrl.protocol)) {
      throw failure(`its address for signing in is not one of the web`);
    }
    this.#url = authorizationUrl.href;
    this.#verifier = codeVerifier;
  }

  /** Undefined if the return is not of this sign-in. A code is redeemed once, however often it comes. */
  async #take(params: URLSearchParams): Promise<Returned | undefined> {
    if (!isSame(params.get('state') ?? '', this.#state)) return undefined;
    if (this.#outcome.status === 'waiting') {
      const outcome = await (this.#finishing ??= this.#finish(params));
      this.#end(outcome);
    }
    const outcome = this.#outcome;
    if (outcome.status !== 'failed') {
      return { isSignedIn: true, text: `PML is signed in to ${this.server}. Close this page.` };
    }
    return { isSignedIn: false, text: outcome.error.message };
  }

  async #finish(params: URLSearchParams): Promise<FlowOutcome> {
    const { authorization, resource } = this.#found;
    const { signIn, fetch, now } = this.#ports;
    const client = this.#client;
    const redirectUri = this.#listener?.redirectUri;
    if (!client || redirectUri === undefined) return failed('it has not begun');
    try {
      await this.#assertIssuer(params);
      const error = params.get('error');
      if (error !== null) return failed(`the authorization server says ${error.slice(0, 100)}`);
      const tokens = await redeemCode(
        { authorization, client, resource, fetch, now },
        {
          code: params.get('code') ?? '',
          iss: params.get('iss') ?? undefined,
          verifier: this.#verifier,
          redirectUri,
          scope: this.#scope,
        },
      );
      await signIn.adopt(recordOf(this.#found, { signIn, client, tokens, now: now() }));
      return { status: 'signed_in' };
    } catch (error) {
      return failedWith(error);
    }
  }

  /** Who sent the browser back, before anything else of the return is believed (RFC 9207). */
  async #assertIssuer(params: URLSearchParams): Promise<void> {
    const sdk = await loadSdk();
    const { metadata } = this.#found.authorization;
    sdk.validateAuthorizationResponseIssuer({
      iss: params.get('iss') ?? undefined,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
  }

  #end(outcome: FlowOutcome): void {
    if (this.#outcome.status !== 'waiting') return;
    this.#outcome = outcome;
    clearTimeout(this.#timer);
    this.#settle(outcome);
    // The page that tells the person about it goes out first.
    setImmediate(() => void this.#listener?.[Symbol.asyncDispose]()).unref();
  }
}

/** What to ask for: what the refused call needs and the user configured, else all the resource names. */
export function requestedScope(signIn: ServerSignIn, found: Discovered): string | undefined {
  const scope = signIn.wantedScope ?? found.scope;
  const { metadata } = found.authorization;
  // Without it some servers issue no refresh token, and the next hour needs another sign-in.
  const isOffered = metadata.scopes_supported?.includes('offline_access') === true;
  return scope !== undefined && isOffered ? unionOfScopes(scope, 'offline_access') : scope;
}

export function recordOf(
  { authorization, resource }: Discovered,
  of: {
    readonly signIn: ServerSignIn;
    readonly client: OAuthClient;
    readonly tokens: TokenSet;
    readonly now: number;
  },
): SignInRecord {
  return {
    serverUrl: of.signIn.spec.url,
    issuer: authorization.metadata.issuer,
    ...(resource !== undefined && { resource }),
    authorization,
    client: of.client,
    tokens: of.tokens,
    signedInAt: of.now,
  };
}

export function failedWith(error: unknown): FlowOutcome {
  if (error instanceof PmlError) return { status: 'failed', error };
  const isTold = error instanceof TokenRequestError || error instanceof Error;
  return { status: 'failed', error: failure(isTold ? messageOf(error) : 'unknown', error) };
}

export function failed(why: string): FlowOutcome {
  return { status: 'failed', error: failure(why) };
}

export function failure(why: string, cause?: unknown): PmlError {
  return new PmlError('SIGN_IN_FAILED', `The sign-in failed: ${why}`, { cause });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
