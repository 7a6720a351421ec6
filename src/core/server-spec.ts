import type { ServerName } from './ids.js';
import type { OAuthSettings } from './sign-in.js';

interface CommonSpec {
  readonly name: ServerName;
  /** Globs over tool names. `undefined` keeps all. */
  readonly toolsAllow: readonly string[] | undefined;
  readonly toolsDeny: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly maxConcurrency: number | undefined;
  readonly isolation: 'shared' | 'per-client';
  readonly start: 'lazy' | 'background' | undefined;
  /** What was taken from the environment, by variable. May be secret wherever it was put. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Hash of what would be started, without secret values. */
  readonly configHash: string;
}

export interface StdioSpec extends CommonSpec {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export interface RemoteSpec extends CommonSpec {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings | undefined;
}

/** How to reach one downstream server, with every reference to the environment already replaced. */
export type ServerSpec = StdioSpec | RemoteSpec;
