/** What a server says about the token it wants (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
}

const PARAMETER = /\b(resource_metadata|scope|error)=(?:"([^"]*)"|([^\s,]+))/g;

/** Reads `WWW-Authenticate`; nothing of a scheme other than Bearer counts. */
export function readChallenge(headers: Headers): Challenge {
  const text = headers.get('www-authenticate') ?? '';
  if (!/^(?:bearer|dpop)\b/i.test(text.trim())) return {};
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain] of text.matchAll(PARAMETER)) {
    const value = quoted ?? plain ?? '';
    if (value !== '' && !found.has(name)) found.set(name, value);
  }
  const [address, scope, error] = ['resource_metadata', 'scope', 'error'].map((name) =>
    found.get(name),
  );
  return {
    ...(address !== undefined &&
      URL.canParse(address) && { resourceMetadataUrl: new URL(address) }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
  };
}

/** Each scope once, in the order of their first mention; undefined if there is none. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(/\s+/).filter(Boolean) ?? []));
  return all.size > 0 ? [...all].join(' ') : undefined;
}
