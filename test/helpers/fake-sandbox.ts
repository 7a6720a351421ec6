import type {
  JsonObject,
  JsonValue,
  Sandbox,
  SandboxEnd,
  SandboxHost,
  SandboxReply,
  SandboxScript,
} from '../../src/core/index.js';

/** What a script of a test can do. Rejects with a call's error as a real one throws. */
export interface FakeGuest {
  call(tool: string, args?: JsonObject): Promise<JsonValue>;
  readonly args: JsonValue;
}

export type FakeScript = (guest: FakeGuest) => Promise<JsonValue>;

/** Executes functions of the test that stand behind the source text. */
export class FakeSandbox implements Sandbox {
  readonly #scripts: Readonly<Record<string, FakeScript>>;
  /** Executions begun. */
  runs = 0;

  constructor(scripts: Readonly<Record<string, FakeScript>>) {
    this.#scripts = scripts;
  }

  async run(
    { source, args }: SandboxScript,
    host: SandboxHost,
    { signal }: { signal: AbortSignal },
  ): Promise<SandboxEnd> {
    this.runs++;
    const script = this.#scripts[source];
    if (!script) throw new Error(`no script ${source}`);
    const guest = new Guest(host, args);
    const aborted = new Promise<SandboxEnd>((resolve) => {
      signal.addEventListener('abort', () => resolve({ status: 'aborted' }), { once: true });
      if (signal.aborted) resolve({ status: 'aborted' });
    });
    const ended = script(guest).then(
      (value): SandboxEnd => ({ status: 'returned', value }),
      (error: Error): SandboxEnd => ({
        status: 'threw',
        error: { name: error.name, message: error.message, line: 1, column: 1 },
      }),
    );
    return Promise.race([ended, aborted]);
  }

  async warmUp(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

class Guest implements FakeGuest {
  readonly args: JsonValue;
  readonly #host: SandboxHost;
  #made = 0;
  #open = 0;

  constructor(host: SandboxHost, args: JsonValue) {
    this.#host = host;
    this.args = args;
  }

  async call(tool: string, args: JsonObject = {}): Promise<JsonValue> {
    this.#open++;
    const answer = this.#host.call({ id: ++this.#made, kind: 'tool', name: tool, args });
    // A guest waits when all its jobs are done; here that is a turn of the event loop later.
    setImmediate(() => this.#open > 0 && this.#host.waiting?.());
    const reply: SandboxReply = await answer;
    this.#open--;
    if (reply.ok) return reply.value;
    throw Object.assign(new Error(reply.error.message), { name: reply.error.name });
  }
}
