import {
  type ExecutionTrace,
  type LogFields,
  type Logger,
  parseToolId,
  serverName,
} from '../../src/core/index.js';
import { Discovery, type DiscoveryOptions, type Searchable } from '../../src/discovery/index.js';
import { catalogTool } from './catalog-tool.js';

/** Tools by id, with what they do; the hash follows the description. */
export function searchable(
  tools: Readonly<Record<string, string>>,
  servers: Readonly<Record<string, string>> = {},
): Searchable {
  return {
    tools: new Map(
      Object.entries(tools).map(([id, description]) => {
        const tool = { ...catalogTool(id, description), hash: description };
        return [tool.id, tool];
      }),
    ),
    servers: new Map(Object.entries(servers).map(([name, text]) => [serverName(name), text])),
  };
}

/** A request that these tools served. */
export function served(
  id: string,
  intent: string,
  tools: readonly string[],
  changes: Partial<ExecutionTrace> = {},
): ExecutionTrace {
  return {
    id,
    intent,
    at: new Date(0),
    source: 'import',
    ok: true,
    calls: tools.map((tool) => ({ tool: parseToolId(tool).id, ok: true })),
    bindings: [],
    ...changes,
  };
}

export interface RecordingLogger extends Logger {
  readonly warnings: string[];
}

/** Keeps what was logged as a warning, for tests of what must not be. */
export function recordingLogger(): RecordingLogger {
  const warnings: string[] = [];
  const note = (message: string, fields?: LogFields) =>
    void warnings.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const log: RecordingLogger = {
    warnings,
    debug() {},
    info() {},
    warn: note,
    error: note,
    with: () => log,
  };
  return log;
}

export function createDiscovery({
  mask = (text) => text,
  session,
  trainVectors,
}: Pick<DiscoveryOptions, 'mask' | 'session' | 'trainVectors'> = {}) {
  const log = recordingLogger();
  const clock = { now: new Date(0) };
  let ids = 0;
  const newId = () => `id-${ids++}`;
  const discovery = new Discovery({
    log,
    now: () => clock.now,
    newId,
    mask,
    ...(session && { session }),
    ...(trainVectors && { trainVectors }),
  });
  return { discovery, log, clock };
}
