import type { ServerName } from './ids.js';

interface CommonSpec {
  readonly name: ServerName;
  /** Globs of tool names to keep; `['*']` when the user set none. */
  readonly toolsAllow: readonly string[];
  /** Globs of tool names to hide. Wins over `toolsAllow`. */
  readonly toolsDeny: readonly string[];
  readonly timeoutMs?: number;
  readonly maxConcurrency?: number;
  readonly isolation: 'shared' | 'per-client';
  readonly start?: 'lazy' | 'background';
  /** Hash of what the server is, without its secrets: the same hash means the same catalog. */
  readonly configHash: string;
}

/** A server started as a child process. `env` holds secrets: never log it. */
export interface StdioServerSpec extends CommonSpec {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to a minimal environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd?: string;
}

/** A server reached by URL. `url` and `headers` hold secrets: never log them. */
export interface RemoteServerSpec extends CommonSpec {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One configured server, ready to start: variables replaced, paths absolute. */
export type ServerSpec = StdioServerSpec | RemoteServerSpec;
