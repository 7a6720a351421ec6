import { isJsonObject, type JsonValue } from '../../core/index.js';

/** Long and random: a name such as `r_customer_orders` is none. */
const HANDLE = /(["'`])r_(?=[\w-]*[A-Z\d-])[\w-]{12,}\1/;

/** Whether code names a kept result, which expires: nobody could use the code again. */
export function holdsHandle(code: string): boolean {
  return HANDLE.test(code);
}

/**
 * Whether a result says nothing though calls were made for it: an empty object, or a list of such.
 * A script gives that when it takes what is no data for data. It is fine if a call gave it.
 */
export function isHollow(result: JsonValue, given: readonly JsonValue[]): boolean {
  return isEmptyObjects(result) && !given.some(isEmptyObjects);
}

function isEmptyObjects(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isEmptyObjects);
  return isJsonObject(value) && Object.keys(value).length === 0;
}
