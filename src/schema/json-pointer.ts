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
  // In this order: `~01` is `~1` and no slash.
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** One step of a pointer. Undefined where nothing is, also for names that every object inherits. */
export function childAt(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return INDEX.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
