import type { ServerSpec } from './server-spec.js';

/** Shorter values would hit ordinary words. */
const MIN_LENGTH = 6;

/** What a server is given that nobody else may see. */
export function specSecrets(spec: ServerSpec): readonly string[] {
  return spec.kind === 'stdio'
    ? Object.entries(spec.env).flatMap(([key, value]) => (isPlain(key, value) ? [] : [value]))
    : Object.values(spec.headers).flatMap((value) => [value, value.replace(/^Bearer\s+/i, '')]);
}

export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** Paths and switches are no secrets, and hiding them would hide what a message is about. */
function isPlain(key: string, value: string): boolean {
  if (/key|token|secret|pass|auth|cred/i.test(key)) return false;
  return /^[./~]|^[A-Z]:\\|^(true|false|\d+|info|debug|warn|error)$/i.test(value);
}
