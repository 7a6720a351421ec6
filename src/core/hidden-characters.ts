/**
 * Characters that a person does not see and a model reads: zero-width and other ignorable ones,
 * direction marks, tags, variation selectors and controls. A server can hide instructions in them.
 */

/** Letters, marks and emoji that are joined in scripts and sequences of today; none is ASCII. */
const JOINED = String.raw`(?=[^\0-\x7f])[\p{L}\p{M}\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\uFE0F]`;
const EMOJI = String.raw`[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\u20E30-9#*]`;
const HIDDEN = new RegExp(
  [
    String.raw`[\u200C\u200D](?!${JOINED})|(?<!${JOINED})[\u200C\u200D]`,
    String.raw`(?<!${EMOJI})[\uFE0E\uFE0F]`,
    String.raw`(?![\u200C\u200D\uFE0E\uFE0F])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]`,
    String.raw`[\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?![\t\n\r])\p{Cc}`,
  ].join('|'),
  'gu',
);
/** Most texts have nothing else, and need no closer look. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

/** The text without them. Emoji, and joiners that a script needs between its letters, stay. */
export function stripHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  const stripped = text.replaceAll(HIDDEN, '');
  // What stood beside a removed character may have been kept because of it.
  return stripped === text ? text : stripHidden(stripped);
}

export function hasHidden(text: string): boolean {
  return stripHidden(text) !== text;
}

/** The text with each of them as `\u{…}`, so that no two texts become one. */
export function escapeHidden(text: string): string {
  if (!hasHidden(text)) return text;
  const escaped = text.replaceAll(
    HIDDEN,
    (character) => String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return escaped === text ? text : escapeHidden(escaped);
}
