import {
  isJsonObject,
  type JsonValue,
  type Mask,
  MOST_JSON_LEVELS,
  mentionsSecret,
  namesSecret,
} from '../../core/index.js';

/**
 * Whether a value holds a secret: under a name of one, or in a text that `mask` would change. What
 * nests too deep to look at counts as one.
 */
export function holdsSecret(value: JsonValue, mask: Mask, levels = MOST_JSON_LEVELS): boolean {
  if (typeof value === 'string') return mask(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (!isJsonObject(value)) return value.some((part) => holdsSecret(part, mask, levels - 1));
  return Object.entries(value).some(
    ([name, part]) =>
      namesSecret(name) || mentionsSecret(name) || holdsSecret(part, mask, levels - 1),
  );
}
