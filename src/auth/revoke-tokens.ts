import { isJsonObject, messageOf, parseJson } from '../core/index.js';
import type { OAuthClient } from './authorization-server.js';
import type { Fetch } from './net/guarded-fetch.js';
import type { SignInRecord } from './sign-in-record.js';

/** What the authorization server did with tokens that PML forgot. */
export type Revocation =
  | { readonly revocation: 'revoked' }
  /** The authorization server names no address for that. */
  | { readonly revocation: 'not_offered' }
  | { readonly revocation: 'failed'; readonly why: string };

/** Has an authorization server forget the tokens of a sign-in (RFC 7009), as far as it can. Never rejects. */
export async function revokeTokens(
  { authorization: { metadata }, client, tokens }: SignInRecord,
  fetch: Fetch,
): Promise<Revocation | undefined> {
  if (!tokens) return undefined;
  // OAuth metadata names it; the metadata of OpenID Connect may as well.
  const { revocation_endpoint: endpoint } = metadata as { revocation_endpoint?: unknown };
  if (typeof endpoint !== 'string') return { revocation: 'not_offered' };
  // The refresh token first: with it most servers end the whole grant.
  const all = [
    ...(tokens.refresh === undefined ? [] : [['refresh_token', tokens.refresh] as const]),
    ['access_token', tokens.access] as const,
  ];
  try {
    for (const [hint, token] of all) {
      await revoke(endpoint, { token, hint, client, fetch });
    }
    return { revocation: 'revoked' };
  } catch (error) {
    return { revocation: 'failed', why: messageOf(error) };
  }
}

interface RevokeOptions {
  readonly token: string;
  readonly hint: string;
  readonly client: OAuthClient;
  readonly fetch: Fetch;
}

async function revoke(
  endpoint: string,
  { token, hint, client, fetch }: RevokeOptions,
): Promise<void> {
  const { headers, params } = identification(client);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ token, token_type_hint: hint, ...params }),
  });
  const text = await response.text();
  if (response.ok) return;
  const code = errorCode(text);
  // Some servers revoke refresh tokens alone; the access token ends with its grant there.
  if (code === 'unsupported_token_type' && hint === 'access_token') return;
  throw new Error(`it answered HTTP ${response.status}${code === undefined ? '' : `, ${code}`}`);
}

/** As at the token endpoint: a secret in the header unless the registration wants it in the body. */
function identification({ clientId, clientSecret, authMethod }: OAuthClient): {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
} {
  if (clientSecret === undefined || authMethod === 'none') {
    return { headers: {}, params: { client_id: clientId } };
  }
  if (authMethod === 'client_secret_post') {
    return { headers: {}, params: { client_id: clientId, client_secret: clientSecret } };
  }
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return {
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    params: {},
  };
}

/** The rest of what it says may quote the token. */
function errorCode(text: string): string | undefined {
  const value = parseJson(text);
  const code = isJsonObject(value) ? value['error'] : undefined;
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}
