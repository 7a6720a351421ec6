/**
 * PostgreSQL stores neither NUL nor half a surrogate pair, and others choose names and intents.
 * JSON needs no such care: there both are escapes.
 */
export function storable(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD');
}
