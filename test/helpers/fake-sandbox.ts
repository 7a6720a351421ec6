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
  /** One at a time, by the clock that answers and pauses move. */
  pause(ms: number): Promise<void>;
  log(text: string): void;
  /** Reports an operation that its code was prepared with. */
  operate(site: number): void;
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
    { source, args, now }: SandboxScript,
    host: SandboxHost,
    { signal }: { signal: AbortSignal },
  ): Promise<SandboxEnd> {
    this.runs++;
    const script = this.#scripts[source];
    if (!script) throw new Error(`no script ${source}`);
    const guest = new Guest(host, args, { now, signal });
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
  readonly #signal: AbortSignal;
  #now: number;
  #made = 0;
  #open = 0;
  #timer: AbortController | undefined;

  constructor(
    host: SandboxHost,
    args: JsonValue,
    { now, signal }: { readonly now: number; readonly signal: AbortSignal },
  ) {
    this.#host = host;
    this.args = args;
    this.#now = now;
    this.#signal = signal;
  }

  log(line: string): void {
    this.#host.log({ level: 'info', text: line });
  }

  operate(site: number): void {
    const counts = { times: 1, inputs: 2, outputs: 1, ms: 1 };
    this.#host.operated([{ site, ...counts, afterCall: this.#made }]);
  }

  async call(tool: string, args: JsonObject = {}): Promise<JsonValue> {
    this.#open++;
    const answer = this.#host.call({ id: ++this.#made, kind: 'tool', name: tool, args });
    // A guest waits when all its jobs are done; here that is a turn of the event loop later.
    setImmediate(() => this.#open > 0 && !this.#timer && this.#host.waiting?.());
    const reply: SandboxReply = await answer;
    this.#open--;
    this.#now = Math.max(this.#now, reply.now);
    this.#timer?.abort();
    if (reply.ok) return reply.value;
    throw Object.assign(new Error(reply.error.message), { name: reply.error.name });
  }

  async pause(ms: number): Promise<void> {
    const due = this.#now + ms;
    while (this.#now < due) {
      const timer = new AbortController();
      this.#timer = timer;
      const signal = AbortSignal.any([timer.signal, this.#signal]);
      await new Promise<void>((go) => setImmediate(go));
      await Promise.race([this.#host.waitUntil(due, signal), aborted(signal)]);
      // A real sandbox also continues with an answer and asks again.
      if (!signal.aborted) this.#now = due;
      if (this.#signal.aborted) await new Promise(() => {});
    }
    this.#timer = undefined;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
