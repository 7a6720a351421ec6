/**
 * The sign-in to one remote server, and its one refresher.
 *
 * Invariants:
 * - Authorization servers that rotate revoke the whole grant when a refresh token is used twice. So
 *   one request is pending at a time, however many calls wait for it, and no daemon that shares the store
 *   makes another one meanwhile.
 * - A new pair is on disk before a waiter gets a token of it.
 * - Only the authorization server ends a sign-in. If it cannot be reached, PML keeps the tokens.
 */
import {
  type Logger,
  type OAuthSettings,
  PmlError,
  type RemoteSpec,
  type ServerTokens,
  type TokenRefusal,
} from '../core/index.js';
import { type Discovered, discoverAuthorization } from './authorization-server.js';
import { type Challenge, readChallenge, unionOfScopes } from './challenge.js';
import { isExpired, isFresh } from './freshness.js';
import type { Fetch } from './net/guarded-fetch.js';
import { renewalFailed, signInNeeded } from './sign-in-needed.js';
import {
  recordFromJson,
  recordToJson,
  recordSecrets,
  type SignInRecord,
  type TokenSet,
} from './sign-in-record.js';
import type { SignInStore } from './store/sign-in-store.js';
import { refreshTokens, requestTokens, TokenRequestError } from './token-requests.js';

/** Tokens of the past that are still hidden in texts. */
const MOST_SECRETS = 64;

export interface ServerSignInPorts {
  readonly key: string;
  readonly store: SignInStore;
  readonly fetch: Fetch;
  readonly log: Logger;
  readonly now: () => number;
  /** PML signed in or was signed out. */
  readonly changed: () => void;
}

interface Unsaved {
  readonly record: SignInRecord;
  /** What was stored before. */
  readonly from: SignInRecord | undefined;
}

export const NO_SETTINGS: OAuthSettings = {
  grant: 'authorization_code',
  allowPrivateAddresses: false,
};

export class ServerSignIn implements ServerTokens {
  readonly spec: RemoteSpec;
  readonly #ports: ServerSignInPorts;
  readonly #seen = new Set<string>();
  #loading: Promise<void> | undefined;
  #record: SignInRecord | undefined;
  /** A new pair that could not be written yet. */
  #unsaved: Unsaved | undefined;
  #renewing: Promise<TokenSet> | undefined;
  #needsSignIn = false;
  #challenge: Challenge = {};
  /** More than the last sign-in asked for, because the server refused a call without it. */
  #wantedScope: string | undefined;

  constructor(spec: RemoteSpec, ports: ServerSignInPorts) {
    this.spec = spec;
    this.#ports = ports;
  }

  get settings(): OAuthSettings {
    return this.spec.oauth ?? NO_SETTINGS;
  }

  get needsSignIn(): boolean {
    return this.#needsSignIn;
  }

  get secrets(): readonly string[] {
    return [...this.#seen];
  }

  /** What the next sign-in asks for besides what the resource names. */
  get wantedScope(): string | undefined {
    return unionOfScopes(this.settings.scopes?.join(' '), this.#challenge.scope, this.#wantedScope);
  }

  /** The stored sign-in, with tokens or without. */
  async record(): Promise<SignInRecord | undefined> {
    await (this.#loading ??= this.#load());
    return this.#record;
  }

  async current(): Promise<string | undefined> {
    const tokens = (await this.record())?.tokens;
    if (!tokens) return undefined;
    const { now } = this.#ports;
    if (isFresh(tokens, now()) && !this.#unsaved) return tokens.access;
    try {
      return (await this.#renew(tokens.access, 'expires')).access;
    } catch (error) {
      const isPassing = error instanceof PmlError && error.code === 'SIGN_IN_FAILED';
      if (isPassing && !this.#unsaved && !isExpired(tokens, now())) return tokens.access;
      throw error;
    }
  }

  async replace({ status, headers, token }: TokenRefusal): Promise<string | undefined> {
    const challenge = readChallenge(headers);
    if (status === 403) {
      return challenge.error === 'insufficient_scope' ? this.#stepUp(challenge, token) : undefined;
    }
    this.#challenge = challenge;
    const tokens = (await this.record())?.tokens ?? (await this.#reload())?.tokens;
    // Another request has renewed it meanwhile, or another gateway has signed in.
    if (tokens && tokens.access !== token && !this.#unsaved) return tokens.access;
    if (tokens) return (await this.#renew(token)).access;
    const found = await this.discover();
    if (!found) return undefined;
    if (this.settings.grant === 'client_credentials') return (await this.#renew(token)).access;
    // A person may have signed in while PML looked for the authorization server.
    const since = this.#record?.tokens;
    if (since && since.access !== token) return since.access;
    this.#needSignIn();
    throw signInNeeded(this.spec.name, 'it wants to know who you are');
  }

  /** Where a person signs in; undefined if the server does not use OAuth. */
  async discover(): Promise<Discovered | undefined> {
    const known = (await this.record())?.issuer;
    return discoverAuthorization(this.spec.url, {
      fetch: this.#ports.fetch,
      resourceMetadataUrl: this.#challenge.resourceMetadataUrl,
      knownIssuer: known,
    });
  }

  /** A person has signed in. Resolves when that is on disk. */
  async adopt(record: SignInRecord): Promise<void> {
    await this.record();
    const { store, key } = this.#ports;
    // Not while another gateway renews the pair before: it would write over this one.
    await store.exclusively(key, () => this.#save(record));
    this.#wantedScope = undefined;
    this.#needsSignIn = false;
    this.#ports.changed();
  }

  /** Forgets the sign-in and the registration; returns what they were. */
  async forget(): Promise<SignInRecord | undefined> {
    const { store, key } = this.#ports;
    const forgotten = await store.exclusively(key, async () => {
      const last = this.#unsaved?.record ?? (await this.#read());
      await store.remove(key);
      return last;
    });
    this.#record = undefined;
    this.#unsaved = undefined;
    this.#needSignIn();
    return forgotten;
  }

  /** One at a time: all calls that need a new token meanwhile wait for the same answer. */
  #renew(
    refused: string | undefined,
    because: 'expires' | 'refused' = 'refused',
  ): Promise<TokenSet> {
    const { store, key } = this.#ports;
    this.#renewing ??= store
      .exclusively(key, () => this.#renewOnce(refused, because))
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewOnce(refused: string | undefined, because: 'expires' | 'refused'): Promise<TokenSet> {
    if (this.#unsaved) return this.#saveLate(this.#unsaved);
    const stored = await this.#read();
    if (stored) this.#remember(stored);
    const tokens = stored?.tokens;
    // Another daemon renewed it while this one waited for its turn.
    if (tokens && tokens.access !== refused && isFresh(tokens, this.#ports.now())) return tokens;
    if (this.settings.grant === 'client_credentials') return this.#obtain(stored);
    if (!stored || !tokens) throw this.#signOut('the last sign-in has ended');
    if (because === 'refused' && (await this.#hasMoved(stored))) {
      throw await this.#endSignIn(stored, 'it has another authorization server now');
    }
    if (tokens.refresh === undefined) {
      throw await this.#endSignIn(stored, 'the last sign-in has expired');
    }
    return this.#refresh(stored, tokens.refresh, tokens.scope);
  }

  /** Whether the server names another issuer than the one that PML signed in at. */
  async #hasMoved({ issuer }: SignInRecord): Promise<boolean> {
    try {
      const found = await this.discover();
      return found !== undefined && found.authorization.metadata.issuer !== issuer;
    } catch {
      return false; // Nothing answers there now, which says nothing about the sign-in.
    }
  }

  async #refresh(
    stored: SignInRecord,
    refresh: string,
    scope: string | undefined,
  ): Promise<TokenSet> {
    try {
      const tokens = await refreshTokens(this.#request(stored), { refresh, scope });
      return await this.#save({ ...stored, tokens });
    } catch (error) {
      if (!(error instanceof TokenRequestError)) throw error;
      if (error.reason === 'grant') return this.#reread(stored, refresh);
      if (error.reason === 'client') {
        throw await this.#endSignIn(stored, 'its authorization server no longer knows PML');
      }
      throw renewalFailed(this.spec.name, error);
    }
  }

  /** The token was used before. Where another daemon did that, its new pair is in the store. */
  async #reread(used: SignInRecord, refresh: string): Promise<TokenSet> {
    const again = await this.#read();
    const tokens = again?.tokens;
    if (again && tokens?.refresh !== undefined && tokens.refresh !== refresh) {
      this.#remember(again);
      if (isFresh(tokens, this.#ports.now())) return tokens;
    }
    throw await this.#endSignIn(used, 'its authorization server has ended the last sign-in');
  }

  /** A machine signs in by itself. */
  async #obtain(stored: SignInRecord | undefined): Promise<TokenSet> {
    const { clientId, clientSecret } = this.settings;
    const found = await this.discover();
    if (!found || clientId === undefined) {
      throw new PmlError(
        'SIGN_IN_FAILED',
        `Server ${this.spec.name} has oauth.grant "client_credentials", ${found ? 'but no oauth.clientId' : 'but names no authorization server'}`,
        { details: { server: this.spec.name } },
      );
    }
    const { authorization, resource, scope: offered } = found;
    const record: SignInRecord = {
      serverUrl: this.spec.url,
      issuer: authorization.metadata.issuer,
      ...(resource !== undefined && { resource }),
      authorization,
      client: {
        clientId,
        ...(clientSecret !== undefined && { clientSecret }),
        origin: 'configured',
      },
      signedInAt: stored?.signedInAt ?? this.#ports.now(),
    };
    const scope = this.wantedScope ?? offered;
    try {
      const tokens = await requestTokens(this.#request(record), {
        grant_type: 'client_credentials',
        ...(scope !== undefined && { scope }),
      });
      return await this.#save({ ...record, tokens });
    } catch (error) {
      if (!(error instanceof TokenRequestError)) throw error;
      throw renewalFailed(this.spec.name, error);
    }
  }

  /** The token is good, but not for this call. */
  async #stepUp(challenge: Challenge, token: string | undefined): Promise<string | undefined> {
    await this.record();
    const tokens = (await this.#reload())?.tokens;
    if (!tokens) return undefined;
    if (tokens.access !== token) return tokens.access;
    this.#wantedScope = unionOfScopes(tokens.scope, this.#wantedScope, challenge.scope);
    if (this.settings.grant === 'client_credentials') return (await this.#renew(token)).access;
    const what = challenge.scope ?? 'it does not say which';
    throw signInNeeded(this.spec.name, `the call needs more permissions (${what})`);
  }

  #request(record: SignInRecord) {
    const { fetch, now } = this.#ports;
    const { authorization, client, resource } = record;
    return { authorization, client, resource, fetch, now };
  }

  async #load(): Promise<void> {
    try {
      await this.#reload();
    } catch (error) {
      this.#loading = undefined; // A database that does not answer now may do so later.
      throw error;
    }
  }

  /** Another gateway on the same store may have signed in. */
  async #reload(): Promise<SignInRecord | undefined> {
    if (this.#unsaved) return this.#unsaved.record;
    const stored = await this.#read();
    const hasWaited = this.#needsSignIn;
    if (stored) this.#remember(stored);
    if (hasWaited && !this.#needsSignIn) this.#ports.changed();
    return stored;
  }

  /** Takes a sign-in that another gateway on the same store has made, if this one waits for it. */
  async lookAgain(): Promise<void> {
    if (this.#needsSignIn) await this.#reload();
  }

  async #read(): Promise<SignInRecord | undefined> {
    const { store, key } = this.#ports;
    const stored = recordFromJson(await store.read(key));
    // The entry may lead to another server by now, which must not get these tokens.
    return stored?.serverUrl === this.spec.url ? stored : undefined;
  }

  async #save(record: SignInRecord): Promise<TokenSet> {
    const { store, key } = this.#ports;
    for (const secret of recordSecrets(record)) this.#hide(secret);
    this.#unsaved = { record, from: this.#unsaved?.from ?? this.#record };
    await store.write(key, recordToJson(record));
    this.#unsaved = undefined;
    this.#remember(record);
    return record.tokens as TokenSet;
  }

  /**
   * The disk was full, or the database gone; the pair in memory is the only one the authorization server
   * accepts, unless another gateway has written a newer one meanwhile.
   */
  async #saveLate({ record, from }: Unsaved): Promise<TokenSet> {
    const stored = await this.#read();
    const written = stored?.tokens?.access;
    if (written !== from?.tokens?.access && written !== record.tokens?.access) {
      this.#unsaved = undefined;
      if (!stored?.tokens) throw this.#signOut('the last sign-in has ended');
      this.#remember(stored);
      return stored.tokens;
    }
    const tokens = await this.#save(record);
    this.#ports.log.info('tokens stored after all');
    return tokens;
  }

  #remember(record: SignInRecord): void {
    this.#record = record;
    for (const secret of recordSecrets(record)) this.#hide(secret);
    if (record.tokens) this.#needsSignIn = false;
  }

  #hide(secret: string): void {
    this.#seen.delete(secret);
    this.#seen.add(secret);
    const [oldest] = this.#seen;
    if (this.#seen.size > MOST_SECRETS && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** The registration stays, so that the next sign-in needs no new one, unless it is unknown there. */
  async #endSignIn(record: SignInRecord, why: string): Promise<PmlError> {
    const { tokens: _ended, ...rest } = record;
    const { store, key } = this.#ports;
    await store.write(key, recordToJson(rest));
    this.#record = rest;
    return this.#signOut(why);
  }

  #signOut(why: string): PmlError {
    this.#ports.log.warn('signed out', { why });
    this.#needSignIn();
    return signInNeeded(this.spec.name, why);
  }

  #needSignIn(): void {
    if (this.#needsSignIn) return;
    this.#needsSignIn = true;
    this.#ports.changed();
  }
}
