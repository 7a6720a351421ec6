/** Sessions out of remembered executions, which hold arguments and flows, and no results. */
import {
  type ExecutionTrace,
  isCapability,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PastBinding,
  type PastCall,
  type ToolId,
} from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import type { RecordedSession } from './recorded-session.js';
import { standIn } from './stand-in.js';

/** Lone calls that belong together are no further apart. */
const LONGEST_GAP_MS = 30 * 60_000;
const MOST_OPEN = 8;

interface Chain {
  readonly traces: ExecutionTrace[];
  readonly tools: ToolId[];
}

/**
 * Each execution is a session. Executions whose client had just called what another one called go on
 * with its session: so lone calls become one again.
 */
export function sessionsOfTraces(traces: readonly ExecutionTrace[]): readonly RecordedSession[] {
  const chains: Chain[] = [];
  let open: Chain[] = [];
  for (const trace of traces) {
    const tools = callsOf(trace).map(({ call }) => call.tool);
    if (tools.length === 0) continue;
    const found = open.find((chain) => continues(chain, trace));
    const chain = found ?? { traces: [], tools: [] };
    if (!found) chains.push(chain);
    chain.traces.push(trace);
    chain.tools.push(...tools);
    open = [chain, ...open.filter((one) => one !== chain)].slice(0, MOST_OPEN);
  }
  return chains.map(({ traces: own }) => sessionOf(own));
}

function continues({ traces, tools }: Chain, { before = [], at }: ExecutionTrace): boolean {
  const last = traces.at(-1);
  if (!last || before.length === 0) return false;
  const gap = at.getTime() - last.at.getTime();
  if (gap < 0 || gap > LONGEST_GAP_MS) return false;
  const depth = Math.min(before.length, tools.length, 3);
  return before.slice(-depth).every(({ tool }, place) => tools.at(place - depth) === tool);
}

function sessionOf(traces: readonly ExecutionTrace[]): RecordedSession {
  const calls: SessionCall[] = [];
  for (const trace of traces) calls.push(...sessionCalls(trace, calls.length));
  const intent = traces.find((trace) => trace.intent !== '')?.intent ?? '';
  return { intent, calls, group: traces[0]?.group ?? traces[0]?.id ?? '', hasEnded: false };
}

interface Placed {
  readonly call: PastCall;
  readonly place: number;
}

/** What servers were asked for, not what code did with its data. */
function callsOf({ calls }: ExecutionTrace): readonly Placed[] {
  return calls
    .map((call, place) => ({ call, place }))
    .filter(({ call }) => !isCapability(call.tool) && !call.tool.startsWith('code:'));
}

function sessionCalls(trace: ExecutionTrace, firstTurn: number): readonly SessionCall[] {
  return callsOf(trace).map(({ call, place }, turn) => {
    const output = outputOf(trace.bindings, place);
    return {
      tool: call.tool,
      args: argsOf(call, trace.bindings, place),
      ok: call.ok,
      turn: firstTurn + turn,
      at: trace.at.getTime() + (call.startMs ?? 0),
      ...(output !== undefined && { output }),
    };
  });
}

/** With a stand-in wherever a value came out of another call. */
function argsOf(call: PastCall, bindings: readonly PastBinding[], to: number): JsonObject {
  const args: Record<string, JsonValue> = { ...call.args };
  for (const binding of bindings) {
    const { param, part } = binding;
    if (binding.to !== to || param === undefined || part || Object.hasOwn(args, param)) continue;
    args[param] = standIn(binding.from, binding.field ?? '');
  }
  return args;
}

const STEP = /\[(\d+)\]|[^.[\]]+/g;
/** A place in a list, beyond which nothing is filled in. */
const FARTHEST = 20;

/** A result that has a stand-in where a value was taken from. */
function outputOf(bindings: readonly PastBinding[], from: number): JsonValue | undefined {
  let output: JsonValue | undefined;
  for (const { from: producer, field, part } of bindings) {
    if (producer !== from || !field || part) continue;
    const steps = [...field.matchAll(STEP)].map(([name, index]) =>
      index === undefined ? name : Number(index),
    );
    if (steps.some((step) => typeof step === 'number' && step > FARTHEST)) continue;
    output = withValue(output, steps, (at) => standIn(from, at), '');
  }
  return output;
}

type Step = string | number;

/** Lists get one item more than needed: that it was the first of several must be seen. */
function withValue(
  value: JsonValue | undefined,
  [step, ...rest]: readonly Step[],
  make: (field: string) => string,
  path: string,
): JsonValue {
  if (step === undefined) return make(path);
  if (typeof step === 'number') {
    const items: JsonValue[] = Array.isArray(value) ? [...(value as readonly JsonValue[])] : [];
    for (let at = 0; at <= step + 1; at++) {
      if (at === step || items[at] === undefined) {
        items[at] = withValue(items[at], rest, make, `${path}[${at}]`);
      }
    }
    return items;
  }
  const own = isJsonObject(value) ? value : {};
  const known = own[step];
  return { ...own, [step]: withValue(known, rest, make, path ? `${path}.${step}` : step) };
}
