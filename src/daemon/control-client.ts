import { type JsonObject, PmlError, type PmlErrorCode } from '../core/index.js';
import { LineSplitter, LineWriter, parseLine, type RpcResponse } from '../rpc/index.js';
import { greetDaemon } from './connect.js';
import { PROTOCOL } from './hello.js';
import { socketPath } from './socket-path.js';

const MAX_ANSWER_BYTES = 512_000_000;

/**
 * Asks the daemon of a data directory one thing. Undefined when none runs. Rejects with
 * `DATA_DIR_IN_USE` when it serves another configuration than the one asked about.
 */
export async function askDaemon(
  dataDir: string,
  method: string,
  params: JsonObject = {},
  { config }: { config?: string } = {},
): Promise<JsonObject | undefined> {
  const about = config === undefined ? {} : { config };
  const hello = { kind: 'control', protocol: PROTOCOL, version: '', ...about } as const;
  const connection = await greetDaemon(socketPath(dataDir), hello);
  if (!connection) return undefined;
  const { socket, rest, reply } = connection;
  try {
    if (!reply.ok) {
      const isOther = reply.code === 'CONFIG_MISMATCH';
      throw new PmlError(isOther ? 'DATA_DIR_IN_USE' : 'DAEMON_UNREACHABLE', reply.message);
    }
    return await new Promise<JsonObject>((resolve, reject) => {
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
  } finally {
    socket.destroy();
  }
}
