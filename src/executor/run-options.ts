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
  /** Most tasks at the same time, and most of them on one server. */
  readonly concurrency: number;
  readonly serverConcurrency: (server: ServerName) => number;
  readonly policyOf: (tool: ToolId) => ToolPolicy;
  /** Why somebody must see what PML filled into a task before it runs. Default: nobody must. */
  readonly asksAboutGuesses?: (task: Task, state: RunState) => string | undefined;
  /** What is wrong with arguments or with a result, where a schema tells. */
  readonly checkArgs: (tool: ToolId, args: JsonObject) => string | undefined;
  readonly checkResult: (tool: ToolId, result: ToolResult) => string | undefined;
  /** Without it only the server's own limits apply. */
  readonly taskTimeoutMs?: number;
  /** How often a call that may be repeated is tried again when it fails for a passing reason. */
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly isTransient: (error: TaskError) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets, for durations; that of the process by default. */
  readonly monotonic?: () => number;
  /** Whether anything waits for the journal; a lone call that only reads need not. */
  readonly isDurable: boolean;
  /** Hides secrets in errors and reasons. */
  readonly mask?: (text: string) => string;
}

/** `damaged`: part of its journal is lost, so that nobody can go on with it. */
export type RunPhase = 'running' | 'paused' | 'finished' | 'broken' | 'stopped' | 'damaged';
