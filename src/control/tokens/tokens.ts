import type { NamedTokens } from '../../auth/index.js';
import type { ControlParams, ControlResult } from '../contract.js';

interface TokenDaemon {
  readonly httpClients: { readonly tokens: NamedTokens };
}

export async function createToken(
  { httpClients: { tokens } }: TokenDaemon,
  { name, servers = ['*'], readOnly = false, expiresInMs }: ControlParams<'token-create'>,
): Promise<ControlResult<'token-create'>> {
  const expiresAt = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
  const token = await tokens.create({
    name,
    servers,
    isReadOnly: readOnly,
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return { token };
}

export async function listTokens({
  httpClients: { tokens },
}: TokenDaemon): Promise<ControlResult<'tokens'>> {
  const all = await tokens.list();
  return {
    tokens: all.map(({ name, servers, isReadOnly, createdAt, expiresAt }) => ({
      name,
      servers,
      readOnly: isReadOnly,
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
