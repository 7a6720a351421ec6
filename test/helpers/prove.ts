import { Capabilities, type CapabilitiesOptions } from '../../src/capabilities/index.js';
import { effectsOf } from '../../src/code/index.js';
import {
  capabilityId,
  type JsonObject,
  type LockedDefinition,
  parseToolId,
  runId,
  silentLogger,
  type ToolId,
} from '../../src/core/index.js';
import { structureOfText } from './of-text.js';

export const START = new Date('2026-11-02T08:00:00Z');

/** A tool whose parameters are all texts. */
export function aDefinition(
  params: readonly string[],
  overrides: Partial<LockedDefinition> = {},
): LockedDefinition {
  const properties = Object.fromEntries(params.map((name) => [name, { type: 'string' }]));
  const inputSchema: JsonObject = { type: 'object', properties };
  return { hash: `hash of ${params.join()}`, inputSchema, ...overrides };
}

/** Tools of the tests; what is set to undefined is gone. */
export function someTools(
  changed: Readonly<Record<string, LockedDefinition | undefined>> = {},
): (tool: ToolId) => LockedDefinition | undefined {
  const tools: Readonly<Record<string, LockedDefinition | undefined>> = {
    'files:read': aDefinition(['path', 'head']),
    'files:write': aDefinition(['path', 'text']),
    'git:log': aDefinition(['repo']),
    ...changed,
  };
  return (tool) => tools[tool];
}

export function createCapabilities(options: Partial<CapabilitiesOptions> = {}) {
  return new Capabilities({ log: silentLogger, now: () => START, ...options });
}

/** Learns code as if it had run and everything it calls had worked, each once. */
export function prove(
  capabilities: Capabilities,
  code: string,
  intent: string,
  { definitionOf = someTools() }: { definitionOf?: ReturnType<typeof someTools> } = {},
) {
  const { tools, capabilities: called } = effectsOf(structureOfText(code));
  const ids = [...tools.map((tool) => parseToolId(tool).id), ...called.map(capabilityId)];
  const calls = ids.map((tool) => ({ tool, ok: true }));
  return capabilities.learn({ code, intent, run: runId('run-1'), calls, definitionOf, ms: 10 });
}

/** The same, for code that must be learned. */
export function proven(...given: Parameters<typeof prove>) {
  const learned = prove(...given);
  if (learned.kind === 'refused') throw new Error(`Refused: ${learned.reason}`);
  return learned.capability;
}
