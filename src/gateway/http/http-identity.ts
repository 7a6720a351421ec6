import type { Principal } from '../../core/index.js';

/** Whom a bearer token names. */
export type BearerVerdict =
  | { readonly kind: 'named'; readonly principal: Principal }
  /** No client that PML knows, or no longer one. */
  | { readonly kind: 'unknown' }
  /** It is good, but not for this endpoint. */
  | { readonly kind: 'lacks-scope'; readonly scopes: readonly string[] };

/** Names clients by tokens of their own, beside the token of the user. */
export interface BearerNames {
  identify(bearer: string): Promise<BearerVerdict>;
  /** Where clients learn how to get a token: a document that we serve; undefined without one. */
  readonly resource: () =>
    | { readonly issuer: string; readonly scopes: readonly string[] }
    | undefined;
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The metadata of our endpoint as a protected resource (RFC 9728). */
export function resourceDocument(
  endpoint: string,
  { issuer, scopes }: { readonly issuer: string; readonly scopes: readonly string[] },
) {
  return {
    resource: endpoint,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: [...scopes] }),
  };
}

/** What `WWW-Authenticate` says to a client that is refused. */
export function challengeOf(
  metadataUrl: string | undefined,
  lacking: readonly string[] | undefined,
): string {
  const parts = [
    ...(lacking ? ['error="insufficient_scope"', `scope="${lacking.join(' ')}"`] : []),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`;
}
