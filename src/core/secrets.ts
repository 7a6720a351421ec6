import type { ServerSpec } from './server-spec.js';

/** Shorter values would hit ordinary words. */
const MIN_LENGTH = 6;

/** What a server is given that nobody else may see. */
export function specSecrets(spec: ServerSpec): readonly string[] {
  const written =
    spec.kind === 'stdio'
      ? secretValues(spec.env)
      : Object.values(spec.headers).flatMap((value) => [value, value.replace(/^Bearer\s+/i, '')]);
  return [...written, ...secretValues(spec.variables ?? {})];
}

function secretValues(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named).flatMap(([key, value]) => (isPlain(key, value) ? [] : [value]));
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
