import { isJsonObject, type JsonValue, MOST_JSON_LEVELS } from '../json.js';
import type { ServerSpec } from '../server-spec.js';
import { maskForms } from './secret-forms.js';
import { namesSecret } from './secret-names.js';

/** Shorter values would hit ordinary words. */
const MIN_LENGTH = 6;
/** In a longer text PML looks only for known values: matching forms is slow. */
const MOST_CHARACTERS = 1_000_000;

/** Hides what must not be kept in a text, or shown. */
export type Mask = (text: string) => string;

/** The secrets that PML passes to a server. */
export function specSecrets(spec: ServerSpec): readonly string[] {
  const written =
    spec.kind === 'stdio'
      ? [...secretValues(spec.env), ...argumentSecrets(spec.args)]
      : [
          ...Object.values(spec.headers).flatMap(withoutScheme),
          ...addressSecrets(spec.url),
          ...(spec.oauth?.clientSecret === undefined ? [] : [spec.oauth.clientSecret]),
        ];
  return [...written, ...secretValues(spec.variables ?? {})];
}

/** Values of named variables, without paths and switches. */
export function secretValues(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named).flatMap(([key, value]) => (isPlain(key, value) ? [] : [value]));
}

/** `--token=…` and `--token …`. */
function argumentSecrets(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, place) => {
    const [, name = '', value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (!namesSecret(name)) return [];
    return [value ?? args[place + 1] ?? ''].filter((one) => !one.startsWith('-'));
  });
}

/** A header as it is sent, and its value without the scheme. */
function withoutScheme(value: string): readonly string[] {
  return [value, value.replace(/^(?:Bearer|Basic|Token|ApiKey)\s+/i, '')];
}

function addressSecrets(address: string): readonly string[] {
  const { password, searchParams } = new URL(address);
  const named = [...searchParams].flatMap(([key, value]) => (namesSecret(key) ? [value] : []));
  return password ? [password, decodeURIComponent(password), ...named] : named;
}

/** Hides known values in every encoding that texts use, and everything in the form of a secret. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const masked = maskKnown(text, secrets);
  return masked.length > MOST_CHARACTERS ? masked : maskForms(masked);
}

/** Hides only known values: in code, a name followed by a value is usually no secret. */
export function maskKnown(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap(waysToWrite)
    .filter((secret) => secret.length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** Logs split lines, JSON escapes, URLs encode. */
function waysToWrite(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const lines = secret.includes('\n') ? secret.split(/\r?\n/) : [];
  return [...new Set([secret, escaped, encoded(secret), ...lines])];
}

function encoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret; // Half of a surrogate pair has no encoding.
  }
}

/**
 * A value with every text masked. Under the name of a secret, every text counts as one.
 * The first levels keep their shape: an object stays an object.
 */
export function maskJson(value: JsonValue, mask: Mask): JsonValue {
  return maskPart(value, mask, MOST_JSON_LEVELS);
}

function maskPart(value: JsonValue, mask: (text: string) => string, levels: number): JsonValue {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '***';
  if (!isJsonObject(value)) return value.map((part) => maskPart(part, mask, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      mask(key),
      typeof part === 'string' && part !== '' && namesSecret(key)
        ? '***'
        : maskPart(part, mask, levels - 1),
    ]),
  );
}

/** Paths and switches are no secrets, and hiding them would hide what a message is about. */
function isPlain(key: string, value: string): boolean {
  if (/key|token|secret|pass|auth|cred/i.test(key)) return false;
  return /^[./~]|^[A-Z]:\\|^(true|false|\d+|info|debug|warn|error)$/i.test(value);
}
