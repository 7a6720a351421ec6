import type { OAuthTokens } from '@modelcontextprotocol/client';

import { messageOf, PmlError } from '../core/index.js';
import type { AuthorizationServer, OAuthClient } from './authorization-server.js';
import { asClientInformation } from './client-identity.js';
import type { Fetch } from './net/guarded-fetch.js';
import { loadSdk } from './sdk.js';
import type { TokenSet } from './sign-in-record.js';

/** Longer explanations of an authorization server are cut. */
const MOST_EXPLANATION = 200;

export interface TokenExchange {
  readonly authorization: AuthorizationServer;
  readonly client: OAuthClient;
  readonly resource: string | undefined;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Why a token request failed. `grant`: the authorization server no longer accepts what PML
 * presented. `client`: it no longer knows PML. `passing`: it may work a moment later, and says
 * nothing about the tokens.
 */
export class TokenRequestError extends Error {
  override readonly name = 'TokenRequestError';
  readonly reason: 'grant' | 'client' | 'pending' | 'slow-down' | 'refused' | 'passing';

  constructor(reason: TokenRequestError['reason'], message: string, cause: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Redeems a refresh token. A token of the new pair replaces each of the old one. */
export async function refreshTokens(
  { authorization: { url, metadata }, client, resource, fetch, now }: TokenExchange,
  { refresh, scope }: { readonly refresh: string; readonly scope: string | undefined },
): Promise<TokenSet> {
  const sdk = await loadSdk();
  const at = now();
  const tokens = await sdk
    .refreshAuthorization(url, {
      metadata,
      clientInformation: asClientInformation(client),
      refreshToken: refresh,
      ...(resource !== undefined && { resource: verbatim(resource) }),
      fetchFn: fetch,
    })
    .catch(rethrow);
  return toTokenSet(tokens, { at, scope });
}

/** Redeems a code that came with the redirect; `iss` says who issued it, where that is said. */
export async function redeemCode(
  { authorization: { url, metadata }, client, resource, fetch, now }: TokenExchange,
  code: {
    readonly code: string;
    readonly iss: string | undefined;
    readonly verifier: string;
    readonly redirectUri: string;
    readonly scope: string | undefined;
  },
): Promise<TokenSet> {
  const sdk = await loadSdk();
  const at = now();
  const tokens = await sdk
    .exchangeAuthorization(url, {
      metadata,
      clientInformation: asClientInformation(client),
      authorizationCode: code.code,
      ...(code.iss !== undefined && { iss: code.iss }),
      codeVerifier: code.verifier,
      redirectUri: code.redirectUri,
      ...(resource !== undefined && { resource: verbatim(resource) }),
      fetchFn: fetch,
    })
    .catch(rethrow);
  return toTokenSet(tokens, { at, scope: code.scope });
}

/** Any other grant: `params` holds its fields. */
export async function requestTokens(
  { authorization: { url, metadata }, client, resource, fetch, now }: TokenExchange,
  params: Readonly<Record<string, string>>,
): Promise<TokenSet> {
  const sdk = await loadSdk();
  const at = now();
  const tokens = await sdk
    .fetchToken(
      {
        redirectUrl: undefined,
        clientMetadata: { redirect_uris: [] },
        clientInformation: () => asClientInformation(client),
        prepareTokenRequest: () => new URLSearchParams(params),
        // The flow of the SDK would use these; PML asks for tokens alone.
        tokens: () => undefined,
        saveTokens: () => {},
        redirectToAuthorization: () => {},
        saveCodeVerifier: () => {},
        codeVerifier: () => '',
      },
      url,
      {
        metadata,
        ...(resource !== undefined && { resource: verbatim(resource) }),
        fetchFn: fetch,
      },
    )
    .catch(rethrow);
  return toTokenSet(tokens, { at, scope: params['scope'] });
}

/** The SDK sends a text unchanged; as an address it would get a slash at its end. */
function verbatim(resource: string): URL {
  return resource as unknown as URL;
}

function toTokenSet(
  tokens: OAuthTokens,
  { at, scope }: { readonly at: number; readonly scope: string | undefined },
): TokenSet {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = tokens;
  const granted = tokens.scope ?? scope;
  // From the moment of the request: the answer was on its way for part of the time.
  const lifetimeMs = seconds === undefined ? undefined : seconds * 1_000;
  return {
    access,
    ...(refresh !== undefined && { refresh }),
    ...(lifetimeMs !== undefined && { expiresAt: at + lifetimeMs, lifetimeMs }),
    ...(granted !== undefined && { scope: granted }),
  };
}

const REASONS: Readonly<Record<string, TokenRequestError['reason']>> = {
  invalid_grant: 'grant',
  expired_token: 'grant',
  access_denied: 'grant',
  invalid_client: 'client',
  unauthorized_client: 'client',
  authorization_pending: 'pending',
  slow_down: 'slow-down',
  server_error: 'passing',
  temporarily_unavailable: 'passing',
  too_many_requests: 'passing',
};

/** The texts of an authorization server may quote what was sent, so only its code and a short explanation stay. */
function rethrow(error: unknown): never {
  if (error instanceof PmlError) throw new TokenRequestError('passing', error.message, error);
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'OAuthError' && typeof code === 'string') {
    const isOwn = code !== 'server_error' && messageOf(error) !== code;
    const explained = isOwn ? `: ${messageOf(error).slice(0, MOST_EXPLANATION)}` : '';
    throw new TokenRequestError(REASONS[code] ?? 'refused', `${code}${explained}`, error);
  }
  if (/Issuer|Insecure/.test(String(name))) {
    throw new TokenRequestError('refused', messageOf(error), error);
  }
  throw new TokenRequestError('passing', 'the answer is not in the form of OAuth', error);
}
