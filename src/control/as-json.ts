import { isJsonObject, type JsonObject } from '../core/index.js';

/** Dates as text, undefined left out: what a line of JSON can hold. */
export function asJson(value: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) ? plain : {};
}
