const CAMEL = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const SEPARATOR = /[^\p{L}\p{N}]+/u;

/** The words of a name in snake, kebab or camel case, in lower case: `getHTTPStatus` is get, http, status. */
export function nameParts(name: string): readonly string[] {
  return name.replaceAll(CAMEL, ' ').toLowerCase().split(SEPARATOR).filter(Boolean);
}
