import { visible } from '../core/index.js';

/** Cuts before a character that would be halved: half a surrogate pair is no valid text. */
export function cutAt(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  const isHigh = last >= 0xd800 && last <= 0xdbff;
  return isHigh ? end - 1 : end;
}

/**
 * The beginning of a text that fits into so many bytes. Bytes, not characters: what costs an agent
 * three tokens in another script costs about three bytes as well.
 */
export function beginning(text: string, maxBytes: number): string {
  let head = text.slice(0, cutAt(text, maxBytes));
  for (let surplus = bytesOf(head) - maxBytes; surplus > 0; surplus = bytesOf(head) - maxBytes) {
    head = head.slice(0, cutAt(head, head.length - Math.ceil(surplus / 3)));
  }
  return head;
}

/** The beginning of what others wrote, on one line and legible, with a mark where it is cut. */
export function shortLine(text: string, maxCharacters: number): string {
  const shown = visible(text);
  if (shown.length <= maxCharacters) return shown;
  const end = cutAt(shown, maxCharacters);
  return `${shown.slice(0, end)}… (${shown.length - end} more characters)`;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
