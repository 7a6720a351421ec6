import { isDeepStrictEqual } from 'node:util';

import { JwtIdentity, NamedTokens } from '../../auth/index.js';
import type { LoadedConfig } from '../../config/load.js';
import { type Access, type AccessOf, NO_ACCESS } from '../../core/index.js';
import type { BearerNames, BearerVerdict } from '../../gateway/index.js';
import { httpTokensFile } from './data-files.js';

/** Clients of our HTTP endpoint that have tokens of their own. */
export interface HttpClients {
  readonly tokens: NamedTokens;
  readonly names: BearerNames;
  readonly accessOf: AccessOf;
}

export function openHttpClients(config: () => LoadedConfig): HttpClients {
  const tokens = new NamedTokens(httpTokensFile(config().dataDir), () => Date.now());
  let known: JwtIdentity | undefined;
  const subjects = () => {
    const { auth } = config().file.http;
    if (!auth) return undefined;
    const { readOnly, ...rest } = auth;
    const settings = { ...rest, isReadOnly: readOnly };
    if (!isDeepStrictEqual(known?.settings, settings)) known = new JwtIdentity(settings);
    return known;
  };
  const accessOf = (principal: Parameters<AccessOf>[0]): Access | undefined => {
    if (!principal.startsWith('subject:')) return tokens.accessOf(principal);
    // Without the setting no issuer vouches for the subject any more.
    return subjects()?.settings ?? NO_ACCESS;
  };
  const names: BearerNames = {
    async identify(bearer): Promise<BearerVerdict> {
      await tokens.load();
      const principal = tokens.identify(bearer);
      if (principal) return { kind: 'named', principal };
      const verifier = subjects();
      // Anything else is no JWT, and its issuer need not be asked.
      if (!verifier || bearer.split('.').length !== 3) return { kind: 'unknown' };
      const verdict = await verifier.verify(bearer);
      if (verdict.kind === 'known') return { kind: 'named', principal: verdict.principal };
      if (verdict.kind === 'invalid') return { kind: 'unknown' };
      return { kind: 'lacks-scope', scopes: verifier.settings.scopes };
    },
    resource() {
      const verifier = subjects();
      return verifier && { issuer: verifier.settings.issuer, scopes: verifier.settings.scopes };
    },
  };
  return { tokens, names, accessOf };
}
