import {
  BUILT_IN_SERVER,
  isCapability,
  type JsonObject,
  messageOf,
  type PastCall,
  PmlError,
  type RunId,
  type RunState,
  parseToolId,
  type ToolCaller,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { RunTrace } from '../../executor/index.js';
import type { Gateway } from '../../gateway/index.js';
import { loadResult, readResult } from '../../results/index.js';
import { RpcError } from '../../rpc/index.js';
import { explainMissing, type CallContext } from '../../tools/index.js';
import { callCapability, learnFromRun } from './run-capability.js';
import { sessionOf } from './run-clients.js';

/** Makes the calls of a run, on behalf of the client that waits for it, if one does. */
export function runCaller(gateway: Gateway, run: RunId): ToolCaller {
  return {
    async call(tool, args, { signal, onProgress, onSent, task }) {
      if (isCapability(tool) && task) {
        // From here on its code may have called something.
        onSent?.();
        return callCapability(gateway, { run, task, tool, signal }, args);
      }
      const caller = gateway.runClients.callerOf(run);
      const result = await callById(gateway, tool, args, { caller, signal, onProgress, onSent });
      if (result.isError !== true) gateway.planning.observe(tool, result);
      return result;
    },
  };
}

/** Teaches what a run that came to its end can teach. */
export function rememberRun(gateway: Gateway, trace: RunTrace | undefined, state: RunState): void {
  const { run } = state;
  if (trace) learnFromRun(gateway, trace, state);
  const trail = gateway.runClients.trailOf(run);
  const { wasAlone } = gateway.runClients.forget(run);
  if (wasAlone) releaseServers(gateway, run);
  const telling = trace && withoutBuiltIns(trace);
  if (telling) gateway.executed(trail, telling);
}

/** The same for runs that ended when nobody could remember them. */
export function rememberRecovered(
  gateway: Gateway,
  runs: readonly { readonly trace: RunTrace; readonly startedAt: number }[],
): void {
  const telling = runs.flatMap(({ trace, startedAt }) => {
    const own = withoutBuiltIns(trace);
    return own ? [{ trace: own, startedAt }] : [];
  });
  gateway.recovered(telling);
}

function releaseServers({ pool, log }: Gateway, run: RunId): void {
  pool
    .release(sessionOf(run))
    .catch((error: unknown) =>
      log.warn('servers of a run not released', { run, error: messageOf(error) }),
    );
}

/** Reading our own kept results teaches nothing; nothing is left of a run that did only that. */
function withoutBuiltIns(trace: RunTrace): RunTrace | undefined {
  const isOurs = ({ tool }: PastCall) => parseToolId(tool).server === BUILT_IN_SERVER;
  if (!trace.calls.some(isOurs)) return trace;
  const places = new Map<number, number>();
  trace.calls.forEach((call, place) => {
    if (!isOurs(call)) places.set(place, places.size);
  });
  const bindings = trace.bindings.flatMap((binding) => {
    const [from, to] = [places.get(binding.from), places.get(binding.to)];
    return from === undefined || to === undefined ? [] : [{ ...binding, from, to }];
  });
  // They run no code, so that nothing was called by them.
  const calls = trace.calls.flatMap(({ parent, ...call }) => {
    if (isOurs(call)) return [];
    const above = parent === undefined ? undefined : places.get(parent);
    return [above === undefined ? call : { ...call, parent: above }];
  });
  return calls.length > 0 ? { ...trace, calls, bindings } : undefined;
}

/** One task of a workflow. Errors of the server's protocol become errors the agent can read. */
async function callById(
  gateway: Gateway,
  tool: ToolId,
  args: JsonObject,
  context: CallContext,
): Promise<ToolResult> {
  const { server, tool: name } = parseToolId(tool);
  if (server === BUILT_IN_SERVER) return callBuiltIn(gateway, name, args);
  await assertCallable(gateway, tool);
  try {
    const request = { id: tool, server, params: { name, arguments: args } };
    return await gateway.calls.complete(request, context);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new PmlError(
      'SERVER_ERROR',
      `${tool} answered with error ${error.code}: ${error.message}`,
      { cause: error, details: { tool, code: error.code } },
    );
  }
}

/** The plan was checked against what was listed then; what a server lists late is checked here. */
async function assertCallable(gateway: Gateway, tool: ToolId): Promise<void> {
  await gateway.toolListing(tool);
  if (gateway.view.tools.find(tool)?.tool.id === tool) return;
  const why = explainMissing(gateway, tool);
  throw why instanceof PmlError ? why : new PmlError('TOOL_UNKNOWN', why.message);
}

async function callBuiltIn(gateway: Gateway, name: string, args: JsonObject): Promise<ToolResult> {
  if (name === 'read_result') return readResult(args, gateway.kept);
  if (name === 'load_result') return loadResult(args, gateway.kept);
  throw new PmlError('TOOL_UNKNOWN', `No tool pml:${name}; there is pml:read_result`);
}
