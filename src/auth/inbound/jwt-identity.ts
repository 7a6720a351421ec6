import { createHash } from 'node:crypto';

import type { JWTVerifyGetKey } from 'jose';

import { type Access, messageOf, PmlError, type Principal, principal } from '../../core/index.js';
import { guardedFetch } from '../net/guarded-fetch.js';
import { loadSdk } from '../sdk.js';

/** Clocks of two machines differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** With a secret that both sides know, every party that can check a token could make one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];

export interface ResourceServerSettings extends Access {
  readonly issuer: string;
  readonly audience: string;
  /** Needed by every request. */
  readonly scopes: readonly string[];
}

export type JwtVerdict =
  | { readonly kind: 'known'; readonly principal: Principal }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'lacks-scope' };

/** Checks access tokens that an authorization server issued for our HTTP endpoint. */
export class JwtIdentity {
  readonly settings: ResourceServerSettings;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(settings: ResourceServerSettings) {
    this.settings = settings;
  }

  async verify(token: string): Promise<JwtVerdict> {
    const { issuer, audience, scopes } = this.settings;
    const { errors, jwtVerify } = await loadJose();
    try {
      const { payload } = await jwtVerify(token, await this.#keySet(), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      const granted = scopesOf(payload);
      if (!scopes.every((scope) => granted.has(scope))) return { kind: 'lacks-scope' };
      return { kind: 'known', principal: subjectOf(issuer, payload.sub ?? '') };
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
        return { kind: 'invalid', why: error.code };
      }
      throw new PmlError(
        'SIGN_IN_FAILED',
        `The keys of ${issuer} cannot be read: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }

  #keySet() {
    this.#keys ??= readKeySet(this.settings.issuer).catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }
}

/** Loaded with the first such token: most users have none. */
function loadJose() {
  return import('jose');
}

async function readKeySet(issuer: string): Promise<JWTVerifyGetKey> {
  const fetch = guardedFetch({ serverUrl: issuer, allowPrivateAddresses: false });
  const sdk = await loadSdk();
  const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  const address = metadata && 'jwks_uri' in metadata ? metadata.jwks_uri : undefined;
  if (typeof address !== 'string') throw new Error('its metadata names no keys (jwks_uri)');
  const { createRemoteJWKSet, customFetch } = await loadJose();
  return createRemoteJWKSet(new URL(address), { [customFetch]: fetch });
}

function scopesOf({ scope, scp }: Record<string, unknown>): ReadonlySet<string> {
  const texts = [scope, ...(Array.isArray(scp) ? scp : [scp])];
  return new Set(texts.flatMap((one) => (typeof one === 'string' ? one.split(' ') : [])));
}

/** Hashed: a subject may be an address of a person, and a principal stands in the journal. */
function subjectOf(issuer: string, subject: string): Principal {
  const mark = createHash('sha256').update(`${issuer}\n${subject}`).digest('base64url');
  return principal('subject', mark.slice(0, 22));
}
