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

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
