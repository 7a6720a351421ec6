import { isJsonObject, type JsonValue } from '../core/index.js';

const ESCAPES = /(?:%[\da-f]{2})+/gi;
/** RFC 6901 knows no leading zeros, signs or exponents. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** The fragment of a URI as it was meant. A `%` that is no escape stands for itself. */
export function decodeFragment(fragment: string): string {
  return fragment.replaceAll(ESCAPES, (escape) => {
    try {
      return decodeURIComponent(escape);
    } catch {
      return escape; // Not UTF-8, so it was never encoded.
    }
  });
}

/** The keys of a JSON Pointer such as `/$defs/a~1b`, which was decoded as a fragment before. */
export function pointerKeys(pointer: string): readonly string[] {
  const [, ...tokens] = pointer.split('/');
  return tokens.map(unescaped);
}

/** The keys of a fragment whose keys were escaped one by one, as `/$defs/a%2Fb` for `a/b`. */
export function escapedKeys(fragment: string): readonly string[] {
  const [, ...tokens] = fragment.split('/');
  return tokens.map((token) => unescaped(decodeFragment(token)));
}

/** In this order: `~01` is `~1` and no slash. */
function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** One step of a pointer. Undefined where nothing is, also for names that every object inherits. */
export function childAt(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return INDEX.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
