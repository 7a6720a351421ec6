import { messageOf, type OAuthSettings, PmlError } from '../core/index.js';
import type { AuthorizationServer, OAuthClient } from './authorization-server.js';
import type { Fetch } from './net/guarded-fetch.js';
import { loadSdk } from './sdk.js';

export interface IdentityOptions {
  readonly settings: OAuthSettings;
  readonly redirectUri: string;
  /** Of an earlier sign-in at the same issuer. */
  readonly known: OAuthClient | undefined;
  readonly fetch: Fetch;
}

export type IdentityDecision =
  | { readonly kind: 'use'; readonly identity: OAuthClient }
  | { readonly kind: 'register' }
  | { readonly kind: 'refuse'; readonly why: string };

/** Configured by hand first, then by document, then an earlier registration, then a new one. */
export function decideIdentity(
  { metadata }: AuthorizationServer,
  { settings, redirectUri, known }: Omit<IdentityOptions, 'fetch'>,
): IdentityDecision {
  const { clientId, clientSecret, clientMetadataUrl } = settings;
  if (clientId !== undefined) {
    const secret = clientSecret === undefined ? {} : { clientSecret };
    return { kind: 'use', identity: { clientId, ...secret, redirectUri, origin: 'configured' } };
  }
  if (clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true) {
    const identity = { clientId: clientMetadataUrl, redirectUri, origin: 'document' } as const;
    return { kind: 'use', identity };
  }
  if (known?.origin === 'registered' && known.redirectUri === redirectUri) {
    return { kind: 'use', identity: known };
  }
  if (metadata.registration_endpoint !== undefined) return { kind: 'register' };
  return {
    kind: 'refuse',
    why: 'its authorization server registers no clients by itself. Register one there by hand, then set oauth.clientId (and oauth.clientSecret) of this server',
  };
}

/** Who PML is at this authorization server; registers it there if necessary. */
export async function identify(
  authorization: AuthorizationServer,
  options: IdentityOptions,
): Promise<OAuthClient> {
  const decision = decideIdentity(authorization, options);
  if (decision.kind === 'use') return decision.identity;
  if (decision.kind === 'refuse') {
    throw new PmlError('SIGN_IN_FAILED', `Cannot sign in: ${decision.why}`);
  }
  return register(authorization, options);
}

async function register(
  { url, metadata }: AuthorizationServer,
  { redirectUri, fetch }: IdentityOptions,
): Promise<OAuthClient> {
  const sdk = await loadSdk();
  try {
    const client = await sdk.registerClient(url, {
      metadata,
      // Without scopes: a registration with some would refuse those that a later call needs.
      clientMetadata: {
        client_name: 'PML',
        redirect_uris: [redirectUri],
        grant_types: grantTypes(metadata.grant_types_supported),
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: isLoopback(redirectUri) ? 'native' : 'web',
      },
      fetchFn: fetch,
    });
    const { client_id: clientId, client_secret: clientSecret } = client;
    const authMethod = client.token_endpoint_auth_method;
    return {
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(authMethod !== undefined && { authMethod }),
      redirectUri,
      origin: 'registered',
    };
  } catch (error) {
    if (error instanceof PmlError) throw error;
    const status = (error as { status?: unknown }).status;
    const why = typeof status === 'number' ? `it answered HTTP ${status}` : messageOf(error);
    throw new PmlError(
      'SIGN_IN_FAILED',
      `The authorization server did not register PML: ${why}. Register a client there by hand, then set oauth.clientId of this server`,
      { cause: error },
    );
  }
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

function grantTypes(supported: readonly string[] | undefined): string[] {
  const own = ['authorization_code', 'refresh_token'];
  return supported?.includes(DEVICE_GRANT) ? [...own, DEVICE_GRANT] : own;
}

function isLoopback(address: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(address).hostname);
}

/** As the SDK calls it. */
export function asClientInformation({ clientId, clientSecret, authMethod }: OAuthClient) {
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(authMethod !== undefined && { token_endpoint_auth_method: authMethod }),
  };
}
