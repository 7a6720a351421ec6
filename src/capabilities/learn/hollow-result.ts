import { isJsonObject, type JsonValue } from '../../core/index.js';

/** Handles are long and random: a name such as `r_customer_orders` is not one. */
const HANDLE = /(["'`])r_(?=[\w-]*[A-Z\d-])[\w-]{12,}\1/;

/** Whether code names a kept result: such code fails once the result expires. */
export function holdsHandle(code: string): boolean {
  return HANDLE.test(code);
}

/**
 * Whether a result is empty although the code made calls: an empty object, or a list of such.
 * Scripts return that when they misread a response. It is fine if a call returned it.
 */
export function isHollow(result: JsonValue, given: readonly JsonValue[]): boolean {
  return isEmptyObjects(result) && !given.some(isEmptyObjects);
}

function isEmptyObjects(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isEmptyObjects);
  return isJsonObject(value) && Object.keys(value).length === 0;
}
