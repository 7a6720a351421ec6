import type { JsonValue } from './json.js';

/** A stretch of the agent's own text: UTF-16 offsets, and where that is for a reader, from 1. */
export type SourceSpan = {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
};

/** What may be used up before a script is stopped. */
export interface SandboxLimits {
  /** From the first statement to the result, waiting for calls included. */
  readonly wallMs: number;
  /** Of the script itself. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly calls: number;
  /** Of the result, of one call's arguments, and of all log lines together. */
  readonly outputBytes: number;
  readonly logLines: number;
}

export interface SandboxScript {
  /**
   * Plain JavaScript, the body of an async function: `return` gives the result. It sees `mcp`,
   * `cap`, `load`, `args`, `console` and the language, and nothing else.
   */
  readonly source: string;
  readonly args: JsonValue;
  /** The same seed gives the same `Math.random()`. */
  readonly seed: number;
  /**
   * The first value of `Date.now()`; afterwards it is the time of the last answer or timer, and it
   * never goes back. A timer fires at its time, before any later answer and after any earlier one:
   * the timestamps of the answers alone decide the order of events.
   */
  readonly now: number;
}

/** One thing a script asks of its host. */
export interface SandboxCall {
  /** From 1, in the order they were made. */
  readonly id: number;
  readonly kind: 'tool' | 'capability' | 'load';
  /** `server:tool`, the name of the capability, or the handle. */
  readonly name: string;
  readonly args: JsonValue;
}

/** What a script gets for a call. `now` becomes its clock. */
export type SandboxReply =
  | { readonly ok: true; readonly value: JsonValue; readonly now: number }
  | { readonly ok: false; readonly error: SandboxError; readonly now: number };

/** An error as a script sees it thrown, and as PML reports one that the script did not catch. */
export interface SandboxError {
  readonly name: string;
  readonly message: string;
  /** Stable, for scripts that tell failures apart. */
  readonly code?: string;
  /** In `source`, from 1, where the script itself failed. */
  readonly line?: number;
  readonly column?: number;
}

/** An operation of the script on its own data, such as `filter`. */
export interface SandboxOperation {
  /** Which of the operations the code was prepared with. */
  readonly site: number;
  /** Number of executions that this report combines. */
  readonly times: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly ms: number;
  /** Calls made so far: what an operation came after. */
  readonly afterCall: number;
}

export interface SandboxLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** What a running script can reach: nothing but this. */
export interface SandboxHost {
  /** Never rejects: a failure is an answer. */
  call(call: SandboxCall): Promise<SandboxReply>;
  log(line: SandboxLine): void;
  operated(operations: readonly SandboxOperation[]): void;
  /** The script has nothing to do before one of its calls is answered. */
  waiting?(): void;
  /**
   * The script is idle until its clock shows `due`, or until one of its calls is answered.
   * Resolves when the clock may show it: no later answer may have an earlier time. Never rejects.
   * If the script continues for another reason, `signal` is aborted and the result is ignored.
   */
  waitUntil(due: number, signal: AbortSignal): Promise<void>;
}

export type SandboxLimit =
  | 'time'
  | 'cpu'
  | 'memory'
  | 'stack'
  | 'calls'
  | 'output'
  | 'deadlock'
  | 'crash';

export type SandboxEnd =
  | { readonly status: 'returned'; readonly value: JsonValue }
  | { readonly status: 'threw'; readonly error: SandboxError }
  /** It was stopped; which limit, and in words. */
  | { readonly status: 'stopped'; readonly limit: SandboxLimit; readonly message: string }
  | { readonly status: 'aborted' };

export interface SandboxRunOptions {
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  /** How many scripts in a chain wait for this one to end; 0 if none does. */
  readonly depth?: number;
}

/** Runs untrusted scripts. A script that misbehaves ends alone. */
export interface Sandbox extends AsyncDisposable {
  run(script: SandboxScript, host: SandboxHost, options: SandboxRunOptions): Promise<SandboxEnd>;
  /** Starts what the next script needs. */
  warmUp(): Promise<void>;
}
