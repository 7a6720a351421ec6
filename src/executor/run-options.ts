import type {
  JsonObject,
  RunLog,
  RunState,
  ServerName,
  Task,
  TaskError,
  ToolCaller,
  ToolId,
  ToolResult,
} from '../core/index.js';
import type { ToolPolicy } from '../policy/index.js';

export interface RunPorts {
  readonly tools: ToolCaller;
  readonly log: Pick<RunLog, 'append'>;
}

export interface RunOptions {
  /** Maximum number of concurrent tasks, in total and on one server. */
  readonly concurrency: number;
  readonly serverConcurrency: (server: ServerName) => number;
  readonly policyOf: (tool: ToolId) => ToolPolicy;
  /** Why the user must see what PML filled into a task before it runs. Default: no reason. */
  readonly asksAboutGuesses?: (task: Task, state: RunState) => string | undefined;
  /** What is wrong with arguments or with a result, where a schema tells. */
  readonly checkArgs: (tool: ToolId, args: JsonObject) => string | undefined;
  readonly checkResult: (tool: ToolId, result: ToolResult) => string | undefined;
  /** Without it only the server's own limits apply. */
  readonly taskTimeoutMs?: number;
  /** How often PML retries an idempotent call that fails for a temporary reason. */
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly isTransient: (error: TaskError) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock, for durations; that of the process by default. */
  readonly monotonic?: () => number;
  /** Whether the run waits for the journal; a single read-only call need not. */
  readonly isDurable: boolean;
  /** Hides secrets in errors and reasons. */
  readonly mask?: (text: string) => string;
}

/** `damaged`: part of its journal is lost, so that PML cannot resume it. */
export type RunPhase = 'running' | 'paused' | 'finished' | 'broken' | 'stopped' | 'damaged';
