import { type ServerSpec, serverName } from '../../src/core/index.js';
import type { GatewaySettings } from '../../src/tools/settings.js';

/** Settings as a configuration without any choice of the user gives them. */
export function gatewaySettings(
  servers: readonly string[],
  changes: Partial<GatewaySettings> = {},
): GatewaySettings {
  return {
    version: '0.0.0',
    servers: new Map(servers.map((name) => [serverName(name), serverSpec(name)])),
    exposure: { mode: 'meta', pin: [], capabilities: [], skills: true },
    permissions: { allow: [], ask: [], deny: [] },
    limits: {
      callTimeoutMs: 1_000,
      resultBytes: 32_000,
      previewBytes: 1_500,
      resultTtlMs: 3_600_000,
      storedResultBytes: 1e8,
      runConcurrency: 4,
      runTasks: 10,
      serverConcurrency: 64,
    },
    workflows: {
      approve: 'risky',
      guesses: 'ask',
      answerWithinMs: 10_000,
      onDisconnect: 'continue',
      retries: 0,
      idempotent: [],
    },
    code: {
      timeoutMs: 10_000,
      cpuMs: 5_000,
      memoryBytes: 64_000_000,
      calls: 100,
      outputBytes: 1_000_000,
      logLines: 20,
      awakeMs: 1_000,
    },
    context: { windowTokens: 200_000, share: 0.05 },
    learning: { attention: true },
    speculation: {
      mode: 'suggest',
      warmServers: 2,
      ttlMs: 30_000,
      allow: [],
      deny: [],
      concurrency: 1,
      callsPerMinute: 30,
      msPerMinute: 20_000,
      bytesPerMinute: 4_000_000,
      cost: {},
      moneyPerPlan: 0.1,
      planMs: 5_000,
      target: 0.85,
      waste: 0.1,
    },
    ...changes,
  };
}

export function serverSpec(name: string): ServerSpec {
  return {
    kind: 'stdio',
    name: serverName(name),
    command: name,
    args: [],
    env: {},
    cwd: undefined,
    toolsAllow: undefined,
    toolsDeny: [],
    timeoutMs: undefined,
    maxConcurrency: undefined,
    isolation: 'shared',
    start: undefined,
    configHash: name,
  };
}
