/**
 * Shows characters that could hide or repaint text on a terminal, or break a line, as escapes. For
 * everything that others wrote and that is printed or logged.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
