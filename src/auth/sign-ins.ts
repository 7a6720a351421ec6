import { createHash } from 'node:crypto';

import {
  type Logger,
  PmlError,
  type RemoteSpec,
  type ServerName,
  type ServerSpec,
  type ServerTokens,
} from '../core/index.js';
import { DeviceFlow } from './flow/device-flow.js';
import { BrowserFlow, type SignInFlow } from './flow/sign-in-flow.js';
import { guardedFetch } from './net/guarded-fetch.js';
import { type Revocation, revokeTokens } from './revoke-tokens.js';
import { NO_SETTINGS, ServerSignIn } from './server-sign-in.js';
import type { SignInStore } from './store/sign-in-store.js';

/** Sign-ins of the past whose end can still be asked for. */
const MOST_FLOWS = 20;

export interface RemoteSignInsOptions {
  readonly store: SignInStore;
  readonly log: Logger;
  readonly now: () => number;
  /** A server was signed in to, or signed out from. */
  readonly onChange: (server: ServerName, state: { readonly isSignedIn: boolean }) => void;
}

export interface SignInStatus {
  readonly server: ServerName;
  readonly state: 'signed_in' | 'needs_sign_in' | 'not_needed';
  readonly issuer?: string;
  readonly scope?: string;
  /** Of the access token; PML renews it before. */
  readonly expiresAt?: number;
  /** Without a refresh token the sign-in ends with the access token. */
  readonly isRenewable?: boolean;
}

export interface SignedOut {
  readonly wasSignedIn: boolean;
  /** What the authorization server did with the tokens; missing if there were none. */
  readonly revocation?: Revocation['revocation'];
  /** Why they are not revoked there. */
  readonly why?: string;
}

/** Every sign-in to a remote server of one daemon. */
export class RemoteSignIns implements AsyncDisposable {
  readonly #options: RemoteSignInsOptions;
  readonly #servers = new Map<string, ServerSignIn>();
  readonly #flows = new Map<string, SignInFlow>();
  readonly #beginning = new Map<string, Promise<SignInFlow>>();

  constructor(options: RemoteSignInsOptions) {
    this.#options = options;
  }

  /** Where tokens are kept, in words. */
  get place(): string {
    return this.#options.store.place;
  }

  /** Every token that this daemon has seen. */
  get secrets(): readonly string[] {
    return [...this.#servers.values()].flatMap(({ secrets }) => secrets);
  }

  /** The tokens of a remote server; undefined if the user sends an authorization of their own. */
  tokensFor(spec: RemoteSpec): ServerTokens | undefined {
    return hasOwnAuthorization(spec) ? undefined : this.#server(spec);
  }

  /** Begins a sign-in, or gives the one that already waits for its person. */
  async begin(spec: ServerSpec, { device }: { readonly device: boolean }): Promise<SignInFlow> {
    const signIn = this.#assertRemote(spec);
    const waiting = this.#waitingFor(signIn, device);
    if (waiting) return waiting;
    const key = `${spec.name}|${device}|${signIn.wantedScope ?? ''}`;
    const already = this.#beginning.get(key);
    if (already) return already;
    const beginning = this.#begin(signIn, device).finally(() => this.#beginning.delete(key));
    this.#beginning.set(key, beginning);
    return beginning;
  }

  async #begin(signIn: ServerSignIn, device: boolean): Promise<SignInFlow> {
    const { spec } = signIn;
    const found = await signIn.discover();
    if (!found) {
      throw new PmlError(
        'SIGN_IN_FAILED',
        `Server ${spec.name} names no authorization server, so there is nothing to sign in to. If it wants a key, set headers.Authorization of this server`,
        { details: { server: spec.name } },
      );
    }
    const ports = { signIn, fetch: this.#fetch(signIn.spec), now: this.#options.now };
    const begin = device ? DeviceFlow : BrowserFlow;
    const flow = await begin.begin(ports, found);
    this.#forgetOld();
    this.#flows.set(flow.address.id, flow);
    return flow;
  }

  flow(id: string): SignInFlow {
    const flow = this.#flows.get(id);
    if (flow) return flow;
    throw new PmlError('BAD_REQUEST', 'No such sign-in is pending. Run pml auth login again');
  }

  /** Forgets the tokens, then has the authorization server revoke them if it can. */
  async signOut(spec: ServerSpec): Promise<SignedOut> {
    const signIn = this.#assertRemote(spec);
    const record = await signIn.forget();
    if (!record?.tokens) return { wasSignedIn: false };
    const outcome = await revokeTokens(record, this.#fetch(signIn.spec));
    this.#options.log.info('signed out by the user', { server: spec.name, ...outcome });
    return { wasSignedIn: true, ...outcome };
  }

  async statusOf(spec: RemoteSpec): Promise<SignInStatus> {
    const signIn = this.#server(spec);
    const record = await signIn.record();
    const { name: server } = spec;
    if (!record?.tokens) {
      return { server, state: signIn.needsSignIn || record ? 'needs_sign_in' : 'not_needed' };
    }
    const { tokens, issuer } = record;
    return {
      server,
      state: 'signed_in',
      issuer,
      ...(tokens.scope !== undefined && { scope: tokens.scope }),
      ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
      isRenewable: tokens.refresh !== undefined || signIn.settings.grant === 'client_credentials',
    };
  }

  /** Other gateways on the same store sign in too: takes what this one waits for. */
  async lookAgain(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.lookAgain()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#flows.values()].map((flow) => flow[Symbol.asyncDispose]()));
    this.#flows.clear();
  }

  /** A command may ask how a sign-in has ended; older ones are evicted. */
  #forgetOld(): void {
    for (const [id, { outcome }] of this.#flows) {
      if (this.#flows.size < MOST_FLOWS) return;
      if (outcome.status !== 'waiting') this.#flows.delete(id);
    }
  }

  /** One that asks for as much as is wanted now. */
  #waitingFor({ spec, wantedScope }: ServerSignIn, isDevice: boolean): SignInFlow | undefined {
    return [...this.#flows.values()].find(
      (flow) =>
        flow.outcome.status === 'waiting' &&
        flow.server === spec.name &&
        (flow.address.code !== undefined) === isDevice &&
        flow.wantedScope === wantedScope,
    );
  }

  #assertRemote(spec: ServerSpec): ServerSignIn {
    if (spec.kind === 'stdio') {
      const text = `Server ${spec.name} is a program on this machine; there is nothing to sign in to`;
      throw new PmlError('BAD_REQUEST', text);
    }
    if (!hasOwnAuthorization(spec)) return this.#server(spec);
    const text = `Server ${spec.name} has headers.Authorization in the configuration, which PML sends instead of a sign-in`;
    throw new PmlError('BAD_REQUEST', text);
  }

  #server(spec: RemoteSpec): ServerSignIn {
    const known = this.#servers.get(spec.name);
    if (known && known.spec.url === spec.url && isSame(known.spec, spec)) return known;
    const { store, log, now, onChange } = this.#options;
    const signIn: ServerSignIn = new ServerSignIn(spec, {
      key: keyOf(spec),
      store,
      fetch: this.#fetch(spec),
      log: log.with({ server: spec.name }),
      now,
      changed: () => onChange(spec.name, { isSignedIn: !signIn.needsSignIn }),
    });
    this.#servers.set(spec.name, signIn);
    return signIn;
  }

  #fetch(spec: RemoteSpec) {
    const { allowPrivateAddresses } = spec.oauth ?? NO_SETTINGS;
    return guardedFetch({ serverUrl: spec.url, allowPrivateAddresses });
  }
}

function isSame(one: RemoteSpec, other: RemoteSpec): boolean {
  return JSON.stringify(one.oauth) === JSON.stringify(other.oauth);
}

/** Two entries for one address may be two accounts, and another address never inherits a sign-in. */
function keyOf({ name, url }: RemoteSpec): string {
  return createHash('sha256').update(`${name}\n${url}`).digest('hex').slice(0, 32);
}

function hasOwnAuthorization({ headers }: RemoteSpec): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}
