import { isJsonObject, type JsonValue } from '../core/index.js';
import type { Environment } from './find.js';
import { readKeychain } from './keychain.js';

/** `$${` (an escaped reference), `${keychain:name}`, `${NAME}` or `${NAME:-default}`. */
const REFERENCE = /\$\$\{|\$\{keychain:([\w.-]{1,100})\}|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
/** A whole value may be such a reference without the braces. */
const WHOLE = /^keychain:([\w.-]{1,100})$/;

/** Forms of other programs that would reach a server unreplaced. */
const FOREIGN = /(?<!\$)\$\{(env|input):([^}]*)\}/;

export interface Expanded {
  readonly value: JsonValue;
  /** Variables that are not set and have no default; their references stay as written. */
  readonly missing: readonly string[];
  /** Variables that were used, with what they hold. A default is written in the file and not in here. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Replaces references to the environment in every string of a value. One pass: what a variable holds
 * is never expanded again. `$${X}` stands for a literal `${X}`.
 */
export function expandVariables(
  value: JsonValue,
  env: Environment,
  keychain: (name: string) => string | undefined = readKeychain,
): Expanded {
  const missing = new Set<string>();
  const variables = new Map<string, string>();
  const kept = (name: string, match: string): string => {
    const secret = keychain(name);
    if (secret === undefined) missing.add(`keychain:${name}`);
    else variables.set(`keychain:${name}`, secret);
    return secret ?? match;
  };
  const replace = (match: string, entry?: string, name?: string, fallback?: string): string => {
    if (entry !== undefined) return kept(entry, match);
    if (name === undefined) return '${';
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    if (found !== undefined && (found !== '' || fallback === undefined)) {
      variables.set(name, found);
      return found;
    }
    if (fallback !== undefined) return fallback;
    missing.add(name);
    return match;
  };
  const expanded = mapStrings(value, (text) => {
    const whole = WHOLE.exec(text)?.[1];
    if (whole !== undefined) return kept(whole, text);
    if (FOREIGN.test(text)) missing.add(FOREIGN.exec(text)?.[0] ?? text);
    return text.replaceAll(REFERENCE, replace);
  });
  return { value: expanded, missing: [...missing], variables: Object.fromEntries(variables) };
}

export function hasReference(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  return WHOLE.test(value) || value.replaceAll(/\$\$\{/g, '').includes('${');
}

/** Says what to do about a missing variable, never what any variable holds. */
export function describeMissing(missing: readonly string[]): string {
  const foreign = missing.filter((name) => name.startsWith('${'));
  const entries = missing.filter((name) => name.startsWith('keychain:'));
  const plain = missing.filter((name) => !/^\$\{|^keychain:/.test(name));
  const lines = foreign.map((text) => `${text} is not understood here; write \${NAME} instead`);
  for (const name of entries) {
    lines.push(
      `${name}: the keychain of this system has no such entry of the service "pml", or cannot be read; install @napi-rs/keyring beside PML and add the entry`,
    );
  }
  if (plain.length > 0) {
    const noun = plain.length === 1 ? 'variable' : 'variables';
    const verb = plain.length === 1 ? 'is' : 'are';
    lines.unshift(
      `environment ${noun} ${plain.join(', ')} ${verb} not set; set it or write \${NAME:-default}`,
    );
  }
  return lines.join('; ');
}

function mapStrings(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapStrings(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]),
  );
}
