import type { NamedTokens } from '../../auth/index.js';
import { type LoadedConfig, profileFault } from '../../config/load.js';
import { PmlError } from '../../core/index.js';
import type { ControlParams, ControlResult } from '../contract.js';

interface TokenDaemon {
  readonly config: LoadedConfig;
  readonly httpClients: { readonly tokens: NamedTokens };
}

export async function createToken(
  { config, httpClients: { tokens } }: TokenDaemon,
  { name, servers = ['*'], readOnly = false, profile, expiresInMs }: ControlParams<'token-create'>,
): Promise<ControlResult<'token-create'>> {
  const fault = profile === undefined ? undefined : profileFault(config, profile);
  if (fault !== undefined) throw new PmlError('PROFILE_UNKNOWN', fault);
  const expiresAt = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
  const token = await tokens.create({
    name,
    servers,
    isReadOnly: readOnly,
    ...(profile !== undefined && { profile }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return { token };
}

export async function listTokens({
  httpClients: { tokens },
}: TokenDaemon): Promise<ControlResult<'tokens'>> {
  const all = await tokens.list();
  return {
    tokens: all.map(({ name, servers, isReadOnly, profile, createdAt, expiresAt }) => ({
      name,
      servers,
      readOnly: isReadOnly,
      ...(profile !== undefined && { profile }),
      createdAt: new Date(createdAt).toISOString(),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    })),
  };
}

export async function revokeToken(
  { httpClients: { tokens } }: TokenDaemon,
  { name }: ControlParams<'token-revoke'>,
): Promise<ControlResult<'token-revoke'>> {
  return { wasThere: await tokens.revoke(name) };
}
