import type { Socket } from 'node:net';

import { PmlError, type PmlErrorCode } from '../core/errors.js';

const NEWLINE = 0x0a;
const MAX_BYTES = 1_000_000;

/** Reads up to the first newline and stops there; returns the bytes after it as well. */
export function readFirstLine(
  socket: Socket,
  timeoutMs: number,
): Promise<{ line: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let read: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => fail('nothing was said', 'DAEMON_SILENT'), timeoutMs);
    const stop = () => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.off('error', onClose);
    };
    const fail = (why: string, code: PmlErrorCode = 'DAEMON_UNREACHABLE') => {
      stop();
      reject(new PmlError(code, `no greeting on the socket: ${why}`));
    };
    const onClose = () => fail('it was closed');
    const onData = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(NEWLINE);
      if (end === -1) return read.length > MAX_BYTES ? fail('it is too long') : undefined;
      stop();
      socket.pause();
      resolve({ line: read.toString('utf8', 0, end), rest: read.subarray(end + 1) });
      // The caller attaches its reader in the same turn; reading resumes after it.
      setImmediate(() => socket.resume());
    };
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.once('error', onClose);
  });
}
