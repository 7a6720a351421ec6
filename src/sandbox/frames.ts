/**
 * Frames between a sandbox process and us: four bytes of length, one of origin, a header in JSON,
 * a line break, and a body that is passed on as it is. The body is text that is parsed once, where
 * it is needed.
 */

/** Who made a frame: the guest may write what it likes, but not in the name of its process. */
export type FrameOrigin = 'guest' | 'process';

export interface Frame {
  readonly origin: FrameOrigin;
  readonly header: string;
  readonly body: Buffer;
}

const HEAD_BYTES = 5;
const ORIGIN_BYTE: Readonly<Record<FrameOrigin, number>> = { guest: 1, process: 2 };
const LINE_BREAK = 10;

/** Header and body go into the frame one after the other: to join them first would copy both. */
export function encodeFrame(origin: FrameOrigin, header: string, body = ''): Buffer {
  const headerBytes = Buffer.byteLength(header);
  const frame = startFrame(origin, headerBytes + 1 + Buffer.byteLength(body));
  const end = HEAD_BYTES + headerBytes;
  frame.write(header, HEAD_BYTES);
  frame[end] = LINE_BREAK;
  frame.write(body, end + 1);
  return frame;
}

/** A frame of content that already has a header, a line break, and a body. */
export function wrapContent(origin: FrameOrigin, content: Uint8Array): Buffer {
  const frame = startFrame(origin, content.length);
  frame.set(content, HEAD_BYTES);
  return frame;
}

function startFrame(origin: FrameOrigin, length: number): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame.writeUInt8(ORIGIN_BYTE[origin], 4);
  return frame;
}

/** What stands before the content of a frame. */
export function decodeHead(head: Buffer): { length: number; origin: FrameOrigin | undefined } {
  const byte = head.readUInt8(4);
  const origin = byte === 1 ? 'guest' : byte === 2 ? 'process' : undefined;
  return { length: head.readUInt32LE(0), origin };
}

/** Header and body of a frame's content; nothing if there is no header. */
export function splitContent(content: Buffer): { header: string; body: Buffer } | undefined {
  const end = content.indexOf(LINE_BREAK);
  if (end === -1) return undefined;
  return { header: content.toString('utf8', 0, end), body: content.subarray(end + 1) };
}

export { HEAD_BYTES, LINE_BREAK };
