import {
  type ApprovalMode,
  type JsonObject,
  type ServerName,
  type ServerSpec,
  SKILLS_EXTENSION,
  type SpeculationSettings,
  TASKS_EXTENSION,
  UI_EXTENSION,
} from '../core/index.js';
import type { AskRule, PolicyRules } from '../policy/index.js';

/** The settings that the gateway needs, as plain values. */
export interface GatewaySettings {
  readonly version: string;
  readonly servers: ReadonlyMap<ServerName, ServerSpec>;
  readonly exposure: {
    readonly mode: 'meta' | 'proxy' | 'hybrid';
    readonly pin: readonly string[];
    /** Names of capabilities that are exposed as tools. */
    readonly capabilities: readonly string[];
    readonly skills: boolean;
  };
  readonly permissions: PolicyRules['permissions'];
  /** By name. Default: none. */
  readonly profiles?: ReadonlyMap<string, Profile>;
  /** Name of the profile of clients that name none. */
  readonly profile?: string | undefined;
  readonly limits: {
    readonly callTimeoutMs: number;
    readonly resultBytes: number;
    readonly previewBytes: number;
    readonly resultTtlMs: number;
    readonly storedResultBytes: number;
    readonly runConcurrency: number;
    readonly runTasks: number;
    readonly serverConcurrency: number;
  };
  readonly workflows: {
    readonly approve: ApprovalMode;
    /** What PML does with arguments that it guessed. */
    readonly guesses: 'ask' | 'show' | 'refuse';
    readonly answerWithinMs: number;
    readonly onDisconnect: 'continue' | 'abort';
    readonly taskTimeoutMs?: number | undefined;
    readonly retries: number;
    readonly idempotent: readonly string[];
  };
  readonly code: {
    readonly timeoutMs: number;
    readonly cpuMs: number;
    readonly memoryBytes: number;
    readonly calls: number;
    readonly outputBytes: number;
    readonly logLines: number;
    readonly awakeMs: number;
  };
  readonly context: { readonly windowTokens: number; readonly share: number };
  readonly speculation: SpeculationSettings;
  readonly learning: { readonly attention: boolean };
}

/** A narrower view of the configuration, for the clients that use it. */
export interface Profile {
  readonly name: string;
  /** Globs of names. */
  readonly servers: readonly string[];
  readonly permissions: {
    readonly ask: readonly AskRule[];
    readonly deny: readonly string[];
    readonly readOnly: boolean;
  };
  readonly exposure?: GatewaySettings['exposure'] | undefined;
}

export function serverCapabilities({ exposure }: GatewaySettings): JsonObject {
  return {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
    extensions: {
      [TASKS_EXTENSION]: {},
      [UI_EXTENSION]: {},
      ...(exposure.skills && { [SKILLS_EXTENSION]: {} }),
    },
  };
}

export function serverInfo(version: string): JsonObject {
  return { name: 'pml', title: 'PML', version };
}
