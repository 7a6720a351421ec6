import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';

import { messageOf, PmlError } from '../core/index.js';
import type { Fetch } from './net/guarded-fetch.js';
import { loadSdk } from './sdk.js';

/** Where a person signs in and where tokens are issued. */
export interface AuthorizationServer {
  readonly url: string;
  readonly metadata: AuthorizationServerMetadata;
}

/** Who PML is at an authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the secret is sent, if the registration says so. */
  readonly authMethod?: string;
  /** Where the browser may return to, as registered. */
  readonly redirectUri?: string;
  /** `registered`: PML registered itself, and may do so again. */
  readonly origin: 'configured' | 'document' | 'registered';
}

/** What a server says about signing in to it. */
export interface Discovered {
  readonly authorization: AuthorizationServer;
  /** What tokens must be meant for. */
  readonly resource: string | undefined;
  /** What the resource as a whole needs, separated by spaces. */
  readonly scope: string | undefined;
}

export interface DiscoverOptions {
  readonly fetch: Fetch;
  /** From the answer that refused a request. */
  readonly resourceMetadataUrl: URL | undefined;
  /** Preferred where the server names several. */
  readonly knownIssuer: string | undefined;
}

/** Follows a server to its authorization server; undefined if it names none. */
export async function discoverAuthorization(
  serverUrl: string,
  options: DiscoverOptions,
): Promise<Discovered | undefined> {
  const resource = await readResource(serverUrl, options);
  const issuers = resource?.authorization_servers ?? [];
  const url = issuers.find((one) => one === options.knownIssuer) ?? issuers[0];
  const metadata = await readMetadata(url ?? new URL('/', serverUrl).href, options.fetch);
  if (!metadata) {
    if (url === undefined) return undefined;
    throw failed(`${new URL(url).origin} publishes no metadata`);
  }
  return {
    authorization: { url: url ?? new URL('/', serverUrl).href, metadata },
    resource: resource?.resource,
    scope: resource?.scopes_supported?.join(' '),
  };
}

/** The metadata of the protected resource (RFC 9728); undefined where there is none. */
async function readResource(serverUrl: string, { fetch, resourceMetadataUrl }: DiscoverOptions) {
  const sdk = await loadSdk();
  const metadata = await sdk
    .discoverOAuthProtectedResourceMetadata(
      serverUrl,
      resourceMetadataUrl ? { resourceMetadataUrl } : {},
      fetch,
    )
    .catch((error: unknown) => {
      // PML refused the address, or nothing answered there.
      if (error instanceof PmlError || isServerFailure(error)) throw asFailure(error);
      return undefined;
    });
  if (!metadata) return undefined;
  const isMeant = sdk.checkResourceAllowed({
    requestedResource: sdk.resourceUrlFromServerUrl(serverUrl),
    configuredResource: metadata.resource,
  });
  if (isMeant) return metadata;
  throw failed(`its metadata is about ${metadata.resource}, which is another resource`);
}

async function readMetadata(
  url: string,
  fetch: Fetch,
): Promise<AuthorizationServerMetadata | undefined> {
  const sdk = await loadSdk();
  try {
    return await sdk.discoverAuthorizationServerMetadata(url, { fetchFn: fetch });
  } catch (error) {
    throw asFailure(error);
  }
}

function isServerFailure(error: unknown): boolean {
  return /^HTTP 5\d\d/.test(messageOf(error));
}

/** PKCE protects the code on its way through the browser; without it PML does not sign in. */
export function assertPkce({ url, metadata }: AuthorizationServer): void {
  if (metadata.code_challenge_methods_supported?.includes('S256')) return;
  throw failed(`${new URL(url).origin} does not declare PKCE with S256, which MCP demands`);
}

function failed(why: string): PmlError {
  return new PmlError('SIGN_IN_FAILED', `Cannot sign in: ${why}`);
}

function asFailure(error: unknown): PmlError {
  if (error instanceof PmlError) return error;
  const isForm = error instanceof Error && /ZodError|SyntaxError/.test(error.name);
  const why = isForm ? 'the metadata is not in the form that OAuth demands' : messageOf(error);
  return new PmlError('SIGN_IN_FAILED', `Cannot sign in: ${why}`, { cause: error });
}
