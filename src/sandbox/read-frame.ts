import {
  isJsonObject,
  type JsonValue,
  type SandboxCall,
  type SandboxError,
  type SandboxLimit,
  type SandboxLine,
  type SandboxOperation,
} from '../core/index.js';
import type { Frame } from './frames.js';
import { MOST_VALUE_LEVELS, parseHarmlessJson } from './harmless-json.js';

/** A message of a sandbox process. */
export type FromProcess =
  | { readonly type: 'ready' }
  /** `heard` counts the replies and ticks it has seen: more may be in transit. */
  | { readonly type: 'waiting'; readonly heard: number; readonly due?: number }
  | { readonly type: 'stopped'; readonly limit: SandboxLimit }
  | { readonly type: 'call'; readonly call: SandboxCall }
  | { readonly type: 'log'; readonly line: SandboxLine }
  | { readonly type: 'log-full' }
  | { readonly type: 'operated'; readonly operations: readonly SandboxOperation[] }
  | { readonly type: 'returned'; readonly value: JsonValue }
  | { readonly type: 'threw'; readonly error: SandboxError }
  /** A value that a script may make, but PML does not accept. */
  | { readonly type: 'refused'; readonly why: string };

const MOST_NAME_CHARACTERS = 512;
const MOST_MESSAGE_CHARACTERS = 8_000;
const LEVELS = new Set(['debug', 'info', 'warn', 'error']);
const KINDS = new Set(['tool', 'capability', 'load']);
const LIMITS = new Set(['time', 'cpu', 'memory', 'stack', 'calls', 'output', 'deadlock', 'crash']);

type Fields = Readonly<Record<string, unknown>>;

/** The parsed frame; undefined if no well-behaved process would send it. */
export function readFrame({ origin, header, body }: Frame): FromProcess | undefined {
  const fields = readObject(header);
  if (fields === undefined) return undefined;
  return origin === 'process' ? readOfProcess(fields) : readOfGuest(fields, body);
}

function readOfProcess({ type, limit, heard, due }: Fields): FromProcess | undefined {
  if (type === 'ready') return { type };
  if (type === 'waiting' && isCount(heard)) {
    if (due === undefined) return { type, heard };
    return typeof due === 'number' && due >= 0 ? { type, heard, due } : undefined;
  }
  if (type === 'stopped' && isLimit(limit)) return { type, limit };
  return undefined;
}

function readOfGuest(fields: Fields, body: Buffer): FromProcess | undefined {
  switch (fields['type']) {
    case 'call':
      return readCall(fields, body);
    case 'log':
      return readLine(fields, body);
    case 'log-full':
      return { type: 'log-full' };
    case 'operated':
      return readOperations(body);
    case 'returned':
      return readValue(body, 'values of the result', (value) => ({ type: 'returned', value }));
    case 'threw':
      return readThrown(fields);
    case 'limit':
      return isLimit(fields['limit']) ? { type: 'stopped', limit: fields['limit'] } : undefined;
    default:
      return undefined;
  }
}

function readObject(text: string): Fields | undefined {
  const parsed = parseHarmlessJson(text);
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** The value of a body, or what is wrong with it. */
function readValue(
  body: Buffer,
  what: string,
  use: (value: JsonValue) => FromProcess | undefined,
): FromProcess | undefined {
  const parsed = parseHarmlessJson(body.toString());
  if ('value' in parsed) return use(parsed.value);
  if (parsed.problem === 'not-json') return undefined;
  return { type: 'refused', why: `${what} nest deeper than ${MOST_VALUE_LEVELS} levels` };
}

function readCall({ id, kind, name }: Fields, body: Buffer): FromProcess | undefined {
  if (!isCount(id) || !KINDS.has(kind as string) || typeof name !== 'string') return undefined;
  if (name === '' || name.length > MOST_NAME_CHARACTERS)
    return { type: 'refused', why: `a name has 1 to ${MOST_NAME_CHARACTERS} characters` };
  return readValue(body, `the arguments of ${name}`, (args) => ({
    type: 'call',
    call: { id, kind: kind as SandboxCall['kind'], name, args },
  }));
}

function readLine({ level }: Fields, body: Buffer): FromProcess | undefined {
  if (!LEVELS.has(level as string)) return undefined;
  return { type: 'log', line: { level: level as SandboxLine['level'], text: body.toString() } };
}

function readOperations(body: Buffer): FromProcess | undefined {
  return readValue(body, 'operations', (all) => {
    const operations = Array.isArray(all) ? all.map(readOperation) : [undefined];
    if (operations.includes(undefined)) return undefined;
    return { type: 'operated', operations: operations as SandboxOperation[] };
  });
}

function readOperation(value: unknown): SandboxOperation | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { site, times, inputs, outputs, ms, afterCall } = value as Fields;
  if (!isCount(site) || !isCount(times) || !isCount(inputs)) return undefined;
  if (!isCount(outputs) || !isCount(afterCall)) return undefined;
  if (typeof ms !== 'number' || ms < 0) return undefined;
  return { site, times, inputs, outputs, ms, afterCall };
}

function readThrown(fields: Fields): FromProcess | undefined {
  const { error } = fields;
  if (typeof error !== 'object' || error === null) return undefined;
  const { name, message, code, line, column } = error as Fields;
  if (typeof name !== 'string' || typeof message !== 'string') return undefined;
  return {
    type: 'threw',
    error: {
      name: name.slice(0, MOST_NAME_CHARACTERS),
      message: message.slice(0, MOST_MESSAGE_CHARACTERS),
      ...(typeof code === 'string' ? { code: code.slice(0, MOST_NAME_CHARACTERS) } : {}),
      ...(isCount(line) ? { line } : {}),
      ...(isCount(column) ? { column } : {}),
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isLimit(value: unknown): value is SandboxLimit {
  return LIMITS.has(value as string);
}
