import { PmlError } from '../core/errors.js';
import type { JsonObject, PmlErrorCode } from '../core/index.js';
import type { RpcResponse } from '../rpc/index.js';
import { LineSplitter } from '../rpc/line-splitter.js';
import { LineWriter } from '../rpc/line-writer.js';
import { parseLine } from '../rpc/parse-line.js';
import { type DaemonConnection, greetDaemon } from './connect.js';
import { type HelloReply, PROTOCOL } from './hello.js';
import { socketPath } from './socket-path.js';

const MAX_ANSWER_BYTES = 512_000_000;
/** How often a daemon that owes an answer is greeted: some answers take minutes, a greeting never. */
const GREET_AGAIN_MS = 5_000;

export type DaemonGreeting = HelloReply & { readonly ok: true };

export interface AskOptions {
  /** The configuration asked about; any, when it does not matter. */
  readonly config?: string;
  /** Called before the request is sent, with what the daemon says of itself. */
  readonly onGreeting?: (greeting: DaemonGreeting) => void;
}

/**
 * Asks the daemon of a data directory one thing. Undefined when none runs. Rejects with
 * `DAEMON_SILENT` when the daemon does not even greet, before the request or while it is open, and
 * with `DATA_DIR_IN_USE` when it serves another configuration than the one asked about.
 */
export async function askDaemon(
  dataDir: string,
  method: string,
  params: JsonObject = {},
  { config, onGreeting }: AskOptions = {},
): Promise<JsonObject | undefined> {
  const connection = await greet(dataDir, config);
  if (!connection) return undefined;
  const { socket, reply } = connection;
  const watch = watchSilence(dataDir);
  try {
    if (!reply.ok) {
      const isOther = reply.code === 'CONFIG_MISMATCH';
      throw new PmlError(isOther ? 'DATA_DIR_IN_USE' : 'DAEMON_UNREACHABLE', reply.message);
    }
    onGreeting?.(reply);
    return await Promise.race([request(connection, method, params), watch.silence]);
  } finally {
    watch.stop();
    socket.destroy();
  }
}

async function greet(dataDir: string, config?: string): Promise<DaemonConnection | undefined> {
  try {
    const about = config === undefined ? {} : { config };
    const hello = { kind: 'control', protocol: PROTOCOL, version: '', ...about } as const;
    return await greetDaemon(socketPath(dataDir), hello);
  } catch (error) {
    const isSilent = error instanceof PmlError && error.code === 'DAEMON_SILENT';
    if (!isSilent) throw error;
    // Loaded only when it is needed: every command loads this file.
    const { silenceError } = await import('./silent-daemon.js');
    throw await silenceError(dataDir);
  }
}

/** Rejects as soon as the daemon leaves a greeting unanswered; whatever else happens is not told here. */
function watchSilence(dataDir: string): { silence: Promise<never>; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const silence = new Promise<never>((_resolve, reject) => {
    const look = async () => {
      try {
        (await greet(dataDir))?.socket.destroy();
      } catch (error) {
        if (error instanceof PmlError && error.code === 'DAEMON_SILENT') return reject(error);
      }
      if (!isOver) timer = setTimeout(() => void look(), GREET_AGAIN_MS);
    };
    timer = setTimeout(() => void look(), GREET_AGAIN_MS);
  });
  // A greeting may fail after the answer came.
  silence.catch(() => {});
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
  };
  return { silence, stop };
}

function request(
  { socket, rest }: DaemonConnection,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  return new Promise<JsonObject>((resolve, reject) => {
    const lines = new LineSplitter(MAX_ANSWER_BYTES);
    const read = (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        const [message] = parseLine(line.toString('utf8')) ?? [];
        if (message) settle(message as RpcResponse);
      }
    };
    const settle = (response: RpcResponse) => {
      if ('result' in response) return resolve(response.result);
      const data = response.error.data as { code?: PmlErrorCode } | undefined;
      reject(new PmlError(data?.code ?? 'DAEMON_UNREACHABLE', response.error.message));
    };
    socket.on('data', read);
    socket.once('error', reject);
    socket.once('close', () =>
      reject(new PmlError('DAEMON_UNREACHABLE', 'the daemon ended before it answered')),
    );
    if (rest.length > 0) read(rest);
    const writer = new LineWriter(socket);
    writer.write({ jsonrpc: '2.0', id: 1, method, params });
    writer.flush();
  });
}
