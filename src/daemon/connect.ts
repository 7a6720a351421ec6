import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { PmlError } from '../core/errors.js';
import type { Hello, HelloReply } from './hello.js';
import { readFirstLine } from './read-first-line.js';
import { assertOwnFolder } from './socket-path.js';

/** A daemon greets within milliseconds, also while it works: its loop is never busy for seconds. */
const REPLY_TIMEOUT_MS = 10_000;

export interface DaemonConnection {
  readonly socket: Socket;
  /** Bytes that followed the greeting. */
  readonly rest: Buffer;
  readonly reply: HelloReply;
}

/**
 * Connects and greets. Undefined when no daemon listens, or when it ends before it greets. Rejects
 * with `DAEMON_SILENT` when a daemon accepts the connection and says nothing: suspended or hanging.
 */
export async function greetDaemon(
  path: string,
  hello: Hello,
): Promise<DaemonConnection | undefined> {
  assertOwnFolder(path);
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    socket.destroy();
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return undefined;
    throw new PmlError('DAEMON_UNREACHABLE', `${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  socket.write(`${JSON.stringify(hello)}\n`);
  try {
    const { line, rest } = await readFirstLine(socket, REPLY_TIMEOUT_MS);
    return { socket, rest, reply: JSON.parse(line) as HelloReply };
  } catch (error) {
    socket.destroy();
    if (error instanceof PmlError && error.code === 'DAEMON_SILENT') throw error;
    // The daemon ended between our connect and its greeting: the same as no daemon.
    return undefined;
  }
}
