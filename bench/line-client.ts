import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

type Json = Record<string, unknown>;

/** An MCP client over stdio that does next to nothing itself, so that what is measured is the rest. */
export class LineClient implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (result: Json) => void>();
  #nextId = 1;
  #text = '';

  constructor(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { env });
    this.child.stderr.resume();
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', (chunk: string) => this.#receive(chunk));
  }

  request(method: string, params: Json = {}): Promise<Json> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async initialize(): Promise<Json> {
    const clientInfo = { name: 'bench', version: '1' };
    const greeting = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return greeting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    await ended;
  }

  #receive(chunk: string): void {
    const lines = `${this.#text}${chunk}`.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line) as {
        id?: number;
        result?: Json;
        error?: object;
      };
      if (id === undefined) continue;
      if (error) throw new Error(`request ${id} failed: ${JSON.stringify(error)}`);
      this.#waiting.get(id)?.(result ?? {});
      this.#waiting.delete(id);
    }
  }
}
