/** The text, or its beginning, in so many characters. */
export function cutLine(text: string, room: number): string {
  if (text.length <= room) return text;
  // Half of a surrogate pair is no character.
  return `${text.slice(0, Math.max(0, room - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
