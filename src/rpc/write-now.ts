import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * Writes to a socket or pipe at once. Where nothing waits before it, the bytes go straight to the
 * file descriptor: for small messages the stream's own bookkeeping costs more than the write. What
 * the kernel does not take goes the ordinary way, in order.
 */
export function writeNow(stream: Writable, bytes: Buffer): void {
  const written = stream.writableLength === 0 ? tryWrite(descriptorOf(stream), bytes) : 0;
  if (written < bytes.length) stream.write(written === 0 ? bytes : bytes.subarray(written));
}

function tryWrite(descriptor: number | undefined, bytes: Buffer): number {
  if (descriptor === undefined) return 0;
  try {
    return writeSync(descriptor, bytes);
  } catch {
    return 0; // Full, or closed: the stream waits or reports it.
  }
}

/** Not part of Node's documented interface; without it everything works, only slower. */
function descriptorOf(stream: Writable): number | undefined {
  const handle = (stream as { _handle?: { fd?: unknown } })._handle;
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
