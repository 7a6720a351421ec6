/** JSON that may be cut off or no JSON at all; missing if it cannot be read. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined; // Plain text, or the beginning of a long value.
  }
}
