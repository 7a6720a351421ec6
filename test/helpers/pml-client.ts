import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ServerRequest {
  readonly method: string;
  readonly params: Record<string, unknown> | undefined;
}

export interface ClientOptions {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where the relay is started; default: where the tests run. */
  readonly cwd?: string;
  readonly capabilities?: Record<string, unknown>;
  /** Answers what the server asks; whatever it throws becomes a JSON-RPC error. */
  readonly answer?: (
    request: ServerRequest,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
}

interface Message extends Answer {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** An MCP client that speaks JSON lines with a relay and hides nothing of what comes back. */
export class PmlClient implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything the server asked or told, in order. */
  readonly asked: ServerRequest[] = [];
  readonly notifications: ServerRequest[] = [];
  readonly #options: ClientOptions;
  readonly #pending = new Map<string | number, (answer: Answer) => void>();
  readonly #ended: Promise<unknown>;
  #nextId = 1;
  #stderr = '';

  constructor(options: ClientOptions) {
    const [program = '', ...args] = options.command;
    this.#options = options;
    const { env, cwd } = options;
    this.child = spawn(program, args, { env, stdio: 'pipe', ...(cwd !== undefined && { cwd }) });
    this.#ended = once(this.child, 'exit');
    this.child.stdin?.on('error', () => {}); // A killed relay closes its end; requests say so.
    this.child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    if (!this.child.stdout) throw new Error('the relay has no stdout');
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#receive(line));
    this.child.once('exit', () => {
      const error = { code: 0, message: `the relay ended. ${this.#stderr}` };
      for (const settle of this.#pending.values()) settle({ error });
      this.#pending.clear();
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Requests without an answer so far. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  async initialize(): Promise<Answer> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: this.#options.capabilities ?? {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<Answer> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.send({ method, params });
  }

  send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Calls `server__tool`, or a meta-tool. */
  call(name: string, args: Record<string, unknown> = {}, meta?: object): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  /** The text of a call that must succeed. */
  async text(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.call(name, args);
    const text = textOf(answer);
    if (answer.error || answer.result?.['isError']) throw new Error(`${name}: ${text}`);
    return text;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end();
    await this.#ended;
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) return this.#settle(message);
    const request = { method: message.method, params: message.params };
    if (message.id === undefined) return void this.notifications.push(request);
    this.asked.push(request);
    void this.#answer(message.id, request);
  }

  async #answer(id: string | number, request: ServerRequest): Promise<void> {
    try {
      this.send({ id, result: (await this.#options.answer?.(request)) ?? {} });
    } catch (error) {
      this.send({ id, error: { code: -32000, message: String(error) } });
    }
  }

  #settle(message: Message): void {
    if (message.id === undefined) return;
    this.#pending.get(message.id)?.(message);
    this.#pending.delete(message.id);
  }
}

/** All text of a result, or the message of an error. */
export function textOf({ result, error }: Answer): string {
  if (error) return `${error.code} ${error.message}`;
  const content = (result?.['content'] ?? []) as { type: string; text?: string }[];
  return content.map((block) => block.text ?? '').join('\n');
}
