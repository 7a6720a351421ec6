import {
  BUILT_IN_SERVER,
  isCapability,
  isNamed,
  type JsonObject,
  messageOf,
  type PastCall,
  PmlError,
  type Principal,
  THE_USER,
  type RunId,
  parseToolId,
  type ToolCaller,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { RunTrace } from '../../executor/index.js';
import { loadResult, readResult } from '../../results/index.js';
import { RpcError } from '../../rpc/index.js';
import type { FinishedRun, Recovered } from '../../runs/index.js';
import { explainMissing, type CallContext } from '../../tools/index.js';
import type { Workflows } from '../workflows.js';
import { callCapability, learnFromRun } from './run-capability.js';
import { sessionOf } from './run-clients.js';

/** Makes the calls of a run, on behalf of a waiting client if there is one. */
export function runCaller(workflows: Workflows, run: RunId): ToolCaller {
  return {
    async call(tool, args, { signal, onProgress, onSent, task, ...tasks }) {
      if (isCapability(tool) && task) {
        // From here on the code of the capability may have made calls.
        onSent?.();
        return callCapability(workflows, { run, task, tool, signal }, args);
      }
      const owner = ownerOfRun(workflows, run);
      const caller = workflows.clients.callerOf(run, owner);
      const origin = { run, ...(task !== undefined && { task }) };
      const asker = () => workflows.clients.callerOf(run);
      const context = { caller, signal, onProgress, onSent, origin, asker, ...tasks };
      const result = await callById(workflows, tool, args, context);
      if (result.isError !== true) workflows.planning.observe(tool, result);
      return result;
    },
  };
}

/** Who began a run; the user where that is not recorded. */
function ownerOfRun({ runs }: Workflows, run: RunId): Principal {
  return runs.live().find(({ state }) => state.run === run)?.state.owner ?? THE_USER;
}

/** Learns from a finished run. */
export function rememberRun(
  workflows: Workflows,
  trace: RunTrace | undefined,
  { run, profile, owner = THE_USER, state }: FinishedRun,
): void {
  const mine = workflows.within(profile, owner);
  // A capability would show the words and values of this client to all others.
  if (trace && state && !isNamed(owner)) learnFromRun(workflows, trace, state);
  const trail = workflows.clients.trailOf(run);
  const { wasAlone } = workflows.clients.forget(run);
  if (wasAlone) releaseServers(workflows, run);
  const telling = trace && withoutBuiltIns(trace);
  if (telling) mine.executed(trail, telling);
}

/** The same for runs that ended before PML could remember them. */
export function rememberRecovered(workflows: Workflows, runs: readonly Recovered[]): void {
  for (const { trace, startedAt, owner } of runs) {
    const own = withoutBuiltIns(trace);
    if (own) workflows.within(undefined, owner).recovered([{ trace: own, startedAt }]);
  }
}

function releaseServers({ tools: { pool }, log }: Workflows, run: RunId): void {
  pool
    .release(sessionOf(run))
    .catch((error: unknown) =>
      log.warn('servers of a run not released', { run, error: messageOf(error) }),
    );
}

/** Drops reads of kept results, which teach nothing; undefined if the run did only that. */
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
  // Built-in tools run no code, so no call has them as parent.
  const calls = trace.calls.flatMap(({ parent, ...call }) => {
    if (isOurs(call)) return [];
    const above = parent === undefined ? undefined : places.get(parent);
    return [above === undefined ? call : { ...call, parent: above }];
  });
  return calls.length > 0 ? { ...trace, calls, bindings } : undefined;
}

/** Makes the call of one task. Protocol errors of the server become errors the agent can read. */
async function callById(
  workflows: Workflows,
  tool: ToolId,
  args: JsonObject,
  context: CallContext,
): Promise<ToolResult> {
  const { server, tool: name } = parseToolId(tool);
  if (server === BUILT_IN_SERVER) {
    const owner = context.caller.onBehalfOf ?? context.caller.principal;
    return callBuiltIn(workflows, { name, owner }, args);
  }
  await assertCallable(workflows, tool);
  try {
    const request = { id: tool, server, params: { name, arguments: args } };
    return await workflows.tools.calls.complete(request, context);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new PmlError(
      'SERVER_ERROR',
      `${tool} answered with error ${error.code}: ${error.message}`,
      { cause: error, details: { tool, code: error.code } },
    );
  }
}

/** The plan was checked against the lists of that time; late lists are checked here. */
async function assertCallable(workflows: Workflows, tool: ToolId): Promise<void> {
  await workflows.tools.toolListing(tool);
  if (workflows.tools.view.tools.find(tool)?.tool.id === tool) return;
  const why = explainMissing(workflows.tools, tool);
  throw why instanceof PmlError ? why : new PmlError('TOOL_UNKNOWN', why.message);
}

async function callBuiltIn(
  workflows: Workflows,
  { name, owner }: { readonly name: string; readonly owner: Principal },
  args: JsonObject,
): Promise<ToolResult> {
  const shelf = workflows.results.of(owner);
  if (name === 'read_result') return readResult(args, shelf);
  if (name === 'load_result') return loadResult(args, shelf);
  throw new PmlError('TOOL_UNKNOWN', `No tool pml:${name}; there is pml:read_result`);
}
