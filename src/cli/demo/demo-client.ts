/** The agent's side of `pml demo`: an MCP client on a relay of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { type JsonObject, PmlError } from '../../core/index.js';

interface Answer {
  readonly id?: number;
  readonly result?: JsonObject;
  readonly error?: { readonly message: string };
}

export class DemoClient implements AsyncDisposable {
  readonly #relay: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 1;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    const relay = spawn(process.execPath, [...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#relay = relay;
    createInterface({ input: relay.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
    relay.once('exit', () => {
      const error = { message: 'the relay ended' };
      for (const settle of this.#waiting.values()) settle({ error });
    });
  }

  async connect(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'pml-demo', version: '1' },
    });
    this.#send({ method: 'notifications/initialized' });
  }

  async request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = this.#nextId++;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
    this.#waiting.delete(id);
    if (answer.result) return answer.result;
    throw new PmlError('BAD_REQUEST', `${method}: ${answer.error?.message ?? 'no answer'}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#relay.exitCode !== null || this.#relay.signalCode !== null) return;
    const gone = once(this.#relay, 'exit');
    this.#relay.stdin?.end();
    await gone;
  }

  #send(message: object): void {
    this.#relay.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
