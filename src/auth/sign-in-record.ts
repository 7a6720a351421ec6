import { isJsonObject, type JsonObject } from '../core/index.js';
import type { AuthorizationServer, OAuthClient } from './authorization-server.js';

/** Tokens as one token answer gave them. */
export interface TokenSet {
  readonly access: string;
  readonly refresh?: string;
  /** Milliseconds since 1970; missing if the authorization server does not say. */
  readonly expiresAt?: number;
  /** How long the access token is valid in all. */
  readonly lifetimeMs?: number;
  /** What was granted, separated by spaces. */
  readonly scope?: string;
}

/** One sign-in to one remote server, as it is stored. Its tokens are of use at this issuer only. */
export interface SignInRecord {
  readonly serverUrl: string;
  readonly issuer: string;
  /** What the tokens are meant for (RFC 8707). */
  readonly resource?: string;
  readonly authorization: AuthorizationServer;
  readonly client: OAuthClient;
  /** Missing after PML was signed out: the client stays registered. */
  readonly tokens?: TokenSet;
  readonly signedInAt: number;
}

/** Every text of a record that no log or message may show. */
export function recordSecrets({ tokens, client }: SignInRecord): readonly string[] {
  return [tokens?.access, tokens?.refresh, client.clientSecret].filter((one) => one !== undefined);
}

export function recordToJson(record: SignInRecord): JsonObject {
  return JSON.parse(JSON.stringify(record)) as JsonObject;
}

/** Undefined if the value has not the form of a record. */
export function recordFromJson(value: unknown): SignInRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { serverUrl, issuer, authorization, client, signedInAt, tokens } = value;
  const isWhole =
    typeof serverUrl === 'string' &&
    typeof issuer === 'string' &&
    typeof signedInAt === 'number' &&
    isJsonObject(authorization) &&
    isJsonObject(client) &&
    typeof client['clientId'] === 'string' &&
    (tokens === undefined || (isJsonObject(tokens) && typeof tokens['access'] === 'string'));
  // A parsed edge: PML wrote the file itself, under a checksum.
  return isWhole ? (value as unknown as SignInRecord) : undefined;
}
