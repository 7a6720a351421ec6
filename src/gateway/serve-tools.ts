import {
  BUILT_IN_SERVER,
  isJsonObject,
  type JsonObject,
  messageOf,
  type PastCall,
  PmlError,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import { RPC, RpcError } from '../rpc/index.js';
import { explainMissing } from './explain-missing.js';
import type { Gateway } from './gateway.js';
import { limitResult, READ_TOOL } from './limit-result.js';
import { META_TOOL_NAMES } from './meta-tools.js';
import { readResult } from './read-result.js';
import { recordCall } from './record-call.js';
import type { RequestContext } from './request-context.js';
import { serveDiscover } from './serve-discover.js';
import { workflowAnswer } from './workflow-answer.js';
import { asObject, executeWorkflow, splitTool } from './workflow.js';

/** What we cannot take part in, such as tasks, must not reach a server. */
const PASSED_ON = ['_meta', 'inputResponses', 'requestState'];

export async function listTools(gateway: Gateway): Promise<JsonObject> {
  if (gateway.settings.exposure.mode !== 'meta') await gateway.firstListing();
  return { tools: gateway.view.toolList };
}

/** `tools/call`. What the agent can act on is a result with `isError`; the rest is a protocol error. */
export async function callTool(
  gateway: Gateway,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const name = params['name'];
  if (typeof name !== 'string') throw new RpcError(RPC.invalidParams, 'params.name is missing');
  const isMeta = META_TOOL_NAMES.has(name) && gateway.settings.exposure.mode !== 'proxy';
  try {
    return (await (isMeta
      ? callMetaTool(gateway, name, asObject(params['arguments']), context)
      : callProxied(gateway, name, params, context))) as unknown as JsonObject;
  } catch (error) {
    if (context.signal.aborted || !(error instanceof PmlError)) throw error;
    return errorResult(error) as unknown as JsonObject;
  }
}

async function callMetaTool(
  gateway: Gateway,
  name: string,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  if (name === 'pml_discover') return serveDiscover(gateway, args, context);
  const { limits } = gateway.settings;
  await gateway.catalogLoaded;
  const calls: PastCall[] = [];
  const outcome = await executeWorkflow(args, context, {
    maxTasks: limits.runTasks,
    concurrency: limits.runConcurrency,
    assertTool: (tool) => gateway.assertTool(tool),
    call: (tool, toolArgs, one) =>
      recordCall(
        tool,
        () => callById(gateway, tool, toolArgs, one),
        (call) => calls.push(call),
      ),
  }).finally(() => remember(gateway, calls, { context, intent: args['intent'] }));
  if (outcome.kind === 'run') return workflowAnswer(outcome.summary, gateway.kept, limits);
  // A page of a kept result is as long as the agent asked for; it must not become a preview again.
  if (outcome.tool === READ_TOOL) return outcome.result;
  return limitResult(outcome.result, gateway.kept, limits);
}

/** One task of a workflow. Errors of the server's protocol become errors the agent can read. */
async function callById(
  gateway: Gateway,
  tool: ToolId,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const { server, tool: name } = splitTool(tool);
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
      {
        cause: error,
        details: { tool, code: error.code },
      },
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

function callBuiltIn(gateway: Gateway, name: string, args: JsonObject): ToolResult {
  if (name === 'read_result') return readResult(args, gateway.kept);
  throw new PmlError('TOOL_UNKNOWN', `No tool pml:${name}; there is pml:read_result`);
}

async function callProxied(
  gateway: Gateway,
  name: string,
  params: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const args = params['arguments'];
  if (args !== undefined && !isJsonObject(args)) {
    throw new RpcError(RPC.invalidParams, 'params.arguments must be an object');
  }
  if (name === READ_TOOL) return readResult(asObject(args), gateway.kept);
  const entry = gateway.view.tools.find(name);
  if (!entry) {
    await gateway.toolListing(name);
    if (!gateway.view.tools.find(name)) throw explainMissing(gateway, name);
    return callProxied(gateway, name, params, context);
  }
  const request = {
    id: entry.tool.id,
    server: entry.server,
    params: { ...pick(params, PASSED_ON), name: entry.name, arguments: args ?? {} },
  };
  const result = await recordCall(
    entry.tool.id,
    () => gateway.calls.pass(request, context),
    (call) => remember(gateway, [call], { context }),
  );
  const { exposure, limits } = gateway.settings;
  return limitResult(result, gateway.kept, {
    ...limits,
    keepsStructured: entry.tool.definition.outputSchema !== undefined,
    hasMetaTools: exposure.mode !== 'proxy',
  });
}

/** Reading our own kept results teaches nothing. */
function remember(
  gateway: Gateway,
  calls: readonly PastCall[],
  { context, intent }: { context: RequestContext; intent?: unknown },
): void {
  const telling = calls.filter(({ tool }) => splitTool(tool).server !== BUILT_IN_SERVER);
  if (telling.length === 0) return;
  gateway.executed(context.trail.current, {
    calls: telling,
    bindings: [],
    ...(typeof intent === 'string' && intent.trim() && { intent }),
  });
}

function pick(params: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => keys.includes(key)));
}

/** A failure the agent can read and act on: the stable code, what happened, what to do. */
function errorResult(error: PmlError): ToolResult {
  return {
    content: [{ type: 'text', text: `[${error.code}] ${messageOf(error)}` }],
    isError: true,
    _meta: { 'pml/error': { code: error.code, ...error.details } },
  };
}
