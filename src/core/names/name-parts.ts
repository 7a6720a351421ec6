const CAMEL = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const SEPARATOR = /[^\p{L}\p{N}]+/u;

/** A name in camel case with spaces between its words: `getHTTPStatus` is `get HTTP Status`. */
export function splitCamelCase(name: string): string {
  return name.replaceAll(CAMEL, ' ');
}

/** The words of a name in snake, kebab or camel case, in lower case: `getHTTPStatus` is get, http, status. */
export function nameParts(name: string): readonly string[] {
  return splitCamelCase(name).toLowerCase().split(SEPARATOR).filter(Boolean);
}
