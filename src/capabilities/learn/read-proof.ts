import {
  analyzeCode,
  effectsOf,
  identifyCode,
  liftLiterals,
  type ParsedCode,
  parseCode,
} from '../../code/index.js';
import {
  type CapabilityVersion,
  type Invocation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LockedDefinition,
  PmlError,
  type RunId,
  type ToolId,
  type Mask,
} from '../../core/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';
import { type DefinitionOf, lockOf } from '../lock/check-lock.js';
import { holdsHandle, isHollow } from './hollow-result.js';

/** A finished run of code. */
export interface Proof {
  /** As the agent wrote it. */
  readonly code: string;
  /** The intent; empty if the agent gave none. */
  readonly intent: string;
  readonly run: RunId;
  /** In the order they were made, those of capabilities (`cap:name`) included. */
  readonly calls: readonly { readonly tool: ToolId; readonly ok: boolean }[];
  /** Every call with its times, those inside of capabilities included. */
  readonly invocations?: readonly Invocation[];
  readonly definitionOf: DefinitionOf;
  readonly ms: number;
  readonly at: Date;
  /** What the code returned, and what its calls gave it. */
  readonly result?: JsonValue;
  readonly given?: readonly JsonValue[];
}

export type ReadProof =
  | { readonly ok: true; readonly version: CapabilityVersion }
  | { readonly ok: false; readonly reason: string };

const MOST_CHARACTERS = 50_000;
const TOO_LONG = `it is longer than ${MOST_CHARACTERS} characters`;
const HOLDS_SECRET = 'it holds a secret that is no parameter';
const MOST_STRUCTURE_CHARACTERS = 500_000;
/** Calls kept of a run. */
const MOST_CALLS = 500;

/** What to keep of code that worked, or why nothing is kept. */
export function readProof(proof: Proof, mask: Mask): ReadProof {
  const refused = refuseCalls(proof);
  if (refused !== undefined) return { ok: false, reason: refused };
  try {
    return readCode(proof, mask);
  } catch (error) {
    // The code ran, so it should parse; if it does not, PML must not offer it.
    if (error instanceof PmlError) return { ok: false, reason: error.message };
    throw error;
  }
}

function refuseCalls({ calls, code, result, given = [] }: Proof): string | undefined {
  if (code.length > MOST_CHARACTERS) return TOO_LONG;
  const failed = calls.find(({ ok }) => !ok);
  if (failed) return `${failed.tool} failed`;
  if (calls.length === 0) return 'it called no tool';
  if (holdsHandle(code)) return 'it names a kept result, which expires';
  if (result !== undefined && isHollow(result, given)) return 'its result is empty objects';
  return undefined;
}

function readCode(proof: Proof, mask: Mask): ReadProof {
  const { code: text, calls, invocations, definitionOf, run, ms, at } = proof;
  const written = parseCode(text);
  const { code, parameters } = liftLiterals(written, {
    isSecret: (part) => mask(part) !== part,
    describe: (tool, name) => parameterOf(definitionOf(tool as ToolId), name),
  });
  if (mask(code) !== code) return { ok: false, reason: HOLDS_SECRET };
  // Spans, names and identity belong to the kept text, so they are read from that text.
  const kept = code === text ? written : parseCode(code);
  const structure = analyzeCode(kept);
  const { tools, capabilities, isOpen } = effectsOf(structure);
  if (isOpen) return { ok: false, reason: 'which tools it calls is worked out while it runs' };
  if (tools.length === 0 && capabilities.length === 1 && calls.length === 1) {
    return { ok: false, reason: `it only calls cap.${capabilities[0]}` };
  }
  if (JSON.stringify(structure).length > MOST_STRUCTURE_CHARACTERS) {
    return { ok: false, reason: 'it does too much to be kept' };
  }
  const named = tools as readonly ToolId[];
  const unknown = named.filter((tool) => !definitionOf(tool));
  if (unknown.length > 0) return { ok: false, reason: `there is no tool ${unknown.join(', ')}` };
  return {
    ok: true,
    version: {
      identity: identifyCode(kept),
      version: 1,
      code,
      parameters: withoutSecretDefaults(parameters, mask),
      lock: lockOf(named, definitionOf),
      contains: capabilities,
      structure,
      toolsUsed: named.toSorted(),
      sequence: numbered(calls.map(({ tool }) => tool)),
      ...(invocations && { invocations: invocations.slice(0, MOST_CALLS) }),
      statistics: { uses: 1, successes: 1, failuresInRow: 0, totalMs: ms, lastUsed: at },
      provenance: { origin: 'learned', at, run },
    },
  };
}

/** Code from elsewhere, or why it must not be kept as it is written. */
export function readForeignCode(
  text: string,
  mask: Mask,
): ParsedCode | { readonly reason: string } {
  if (text.length > MOST_CHARACTERS) return { reason: TOO_LONG };
  const isSecret = (part: string) => mask(part) !== part;
  if (isSecret(text)) return { reason: HOLDS_SECRET };
  const code = parseCode(text);
  return liftLiterals(code, { isSecret }).secrets.length > 0 ? { reason: HOLDS_SECRET } : code;
}

function parameterOf(
  definition: LockedDefinition | undefined,
  name: string,
): JsonObject | undefined {
  const properties = definition ? propertiesOf(definition.inputSchema) : {};
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

/** A secret that became a parameter is required in every call. */
export function withoutSecretDefaults(parameters: JsonObject, mask: Mask): JsonObject {
  const properties = propertiesOf(parameters);
  const secret = Object.entries(properties).flatMap(([name, schema]) => {
    const text = JSON.stringify(isJsonObject(schema) ? (schema['default'] ?? null) : null);
    return mask(text) === text ? [] : [name];
  });
  if (secret.length === 0) return parameters;
  const cleaned = Object.entries(properties).map(([name, schema]) => {
    if (!secret.includes(name) || !isJsonObject(schema)) return [name, schema] as const;
    const { default: _secret, ...rest } = schema;
    return [name, rest] as const;
  });
  return {
    ...parameters,
    properties: Object.fromEntries(cleaned),
    required: [...new Set([...requiredOf(parameters), ...secret])],
  };
}

/** Each call as its tool and its index among the calls of that tool. */
function numbered(tools: readonly ToolId[]): readonly string[] {
  const made = new Map<ToolId, number>();
  return tools.slice(0, MOST_CALLS).map((tool) => {
    const count = made.get(tool) ?? 0;
    made.set(tool, count + 1);
    return `${tool}#${count}`;
  });
}
