import {
  isJsonObject,
  type JsonObject,
  maskJson,
  messageOf,
  PmlError,
  tellDoubt,
  type ToolResult,
  wasRefused,
} from '../../core/index.js';
import { limitResult, READ_TOOL, readResult } from '../../results/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import {
  explainMissing,
  CONTINUE_TOOL,
  META_TOOL_NAMES,
  recordCall,
  type RequestContext,
  type ToolRequest,
} from '../../tools/index.js';
import { serveCode, serveContinue, serveWorkflow } from '../../workflows/index.js';
import { legacyResult } from '../eras/legacy/legacy-result.js';
import { namesCapability } from '../exposure/exposed-capabilities.js';
import type { Gateway } from '../gateway.js';
import { serveCapability } from './serve-capability.js';
import { serveDiscover } from './serve-discover.js';
import { serveRead } from './serve-read.js';

/** What we cannot take part in, such as tasks, must not reach a server. */
const PASSED_ON = ['_meta', 'inputResponses', 'requestState'];

/** The tools of servers and our own; capabilities are listed by themselves. */
export async function listTools(gateway: Gateway): Promise<readonly JsonObject[]> {
  if (gateway.settings.exposure.mode !== 'meta') await gateway.firstListing();
  return gateway.view.toolList;
}

/** `tools/call`. What the agent can act on is a result with `isError`; the rest is a protocol error. */
export async function callTool(
  gateway: Gateway,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const name = params['name'];
  if (typeof name !== 'string') throw new RpcError(RPC.invalidParams, 'params.name is missing');
  try {
    const result = await call(gateway, name, params, context);
    const told = context.caller.era === 'legacy' ? legacyResult(result) : result;
    return told as unknown as JsonObject;
  } catch (error) {
    if (context.signal.aborted || !(error instanceof PmlError)) throw error;
    return errorResult(error, gateway.mask) as unknown as JsonObject;
  }
}

function call(
  gateway: Gateway,
  name: string,
  params: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  if (isMetaTool(gateway, name)) {
    return callMetaTool(gateway, name, asObject(params['arguments']), context);
  }
  return namesCapability(gateway, name)
    ? serveCapability(gateway, name, argumentsOf(params), context)
    : callProxied(gateway, name, params, context);
}

function isMetaTool({ settings }: Gateway, name: string): boolean {
  const { mode, capabilities } = settings.exposure;
  if (mode !== 'proxy') return META_TOOL_NAMES.has(name);
  return name === CONTINUE_TOOL && capabilities.length > 0;
}

function callMetaTool(
  gateway: Gateway,
  name: string,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  switch (name) {
    case 'pml_discover':
      return serveDiscover(gateway, args, context);
    case 'pml_execute_workflow':
      return serveWorkflow(gateway, args, context);
    case 'pml_execute_code':
      return serveCode(gateway, args, context, { isReadOnly: false });
    case 'pml_read':
      return serveRead(gateway, args, context);
    default:
      return serveContinue(gateway, args, context);
  }
}

async function callProxied(
  gateway: Gateway,
  name: string,
  params: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const args = argumentsOf(params);
  if (name === READ_TOOL) return readResult(args, gateway.kept);
  const entry = gateway.view.tools.find(name);
  if (!entry) {
    await gateway.toolListing(name);
    if (!gateway.view.tools.find(name)) throw explainMissing(gateway, name);
    return callProxied(gateway, name, params, context);
  }
  const { id } = entry.tool;
  const isListed = gateway.view.isListed(entry);
  const { approve } = gateway.settings.workflows;
  // Nothing showed the client what it calls: the call meets the same stop as a task would.
  if (!isListed && gateway.admit(id, { approve }).ask) {
    return serveWorkflow(gateway, { tasks: [{ tool: id, args }] }, context);
  }
  const request = {
    id,
    server: entry.server,
    params: { ...pick(params, PASSED_ON), name: entry.name, arguments: args },
  };
  const result = await recordCall(
    id,
    () => passCall(gateway, request, context),
    (call) => gateway.executed(context.trail, { calls: [call], bindings: [] }),
  );
  if (result.isError !== true) gateway.planning.observe(id, result);
  const { exposure, limits } = gateway.settings;
  return limitResult(result, gateway.kept, {
    ...limits,
    keepsStructured: entry.tool.definition.outputSchema !== undefined,
    hasMetaTools: exposure.mode !== 'proxy',
  });
}

/** A failure of a call that had left and must not be repeated unseen says so. */
async function passCall(
  gateway: Gateway,
  request: ToolRequest,
  context: RequestContext,
): Promise<ToolResult> {
  let hasLeft = false;
  const onSent = () => {
    hasLeft = true;
  };
  try {
    return await gateway.calls.pass(request, { ...context, onSent });
  } catch (error) {
    if (!(error instanceof PmlError) || !hasLeft || wasRefused(error)) throw error;
    if (gateway.policyOf(request.id).repeatable) throw error;
    const { code, details } = error;
    throw new PmlError(code, tellDoubt(code, error.message), { cause: error, details });
  }
}

function argumentsOf({ arguments: args = {} }: JsonObject): JsonObject {
  if (isJsonObject(args)) return args;
  throw new RpcError(RPC.invalidParams, 'params.arguments must be an object');
}

function pick(params: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => keys.includes(key)));
}

/** A failure the agent can read and act on: the stable code, what happened, what to do. */
function errorResult(error: PmlError, mask: (text: string) => string): ToolResult {
  const { code, details } = error;
  return {
    content: [{ type: 'text', text: mask(`[${code}] ${messageOf(error)}`) }],
    isError: true,
    _meta: { 'pml/error': maskJson({ code, ...details }, mask) },
  };
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
