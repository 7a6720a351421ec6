import {
  asJsonObject,
  asText,
  type CatalogTool,
  declares,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  maskJson,
  messageOf,
  PmlError,
  type Principal,
  tellDoubt,
  type ToolResult,
  UI_EXTENSION,
  wasRefused,
} from '../../core/index.js';
import { limitResult, READ_TOOL, readResult } from '../../results/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import {
  explainMissing,
  CONTINUE_TOOL,
  isAppTool,
  isTaskHandle,
  META_TOOL_NAMES,
  recordActivity,
  recordCall,
  type RequestContext,
  type ToolRequest,
} from '../../tools/index.js';
import { serveCode, serveContinue, serveWorkflow, type Workflows } from '../../workflows/index.js';
import { legacyResult } from '../eras/legacy/legacy-result.js';
import { namesCapability } from '../exposure/exposed-capabilities.js';
import { chargeAnswer } from './charge-answer.js';
import { serveCapability } from './serve-capability.js';
import { serveDiscover } from './serve-discover.js';
import { serveRead } from './serve-read.js';
import { withOffers } from './with-offers.js';

/** What a server may get of a call. A wish for a task of the older form is not passed on. */
const PASSED_ON = ['_meta', 'inputResponses', 'requestState'];

/** The tools of servers and our own; capabilities are listed by themselves. */
export async function listTools(
  { tools }: Workflows,
  { principal, hasUi }: { readonly principal: Principal; readonly hasUi: boolean },
): Promise<readonly JsonObject[]> {
  if (hasUi || tools.settings.exposure.mode !== 'meta') await tools.firstListing();
  const view = tools.viewFor(principal);
  return hasUi ? view.appToolList : view.toolList;
}

/** `tools/call`. What the agent can act on is a result with `isError`; the rest is a protocol error. */
export async function callTool(
  workflows: Workflows,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const name = params['name'];
  if (typeof name !== 'string') throw new RpcError(RPC.invalidParams, 'params.name is missing');
  const { foresight } = workflows;
  foresight?.asked(context.caller, saidIn(workflows, name, params));
  try {
    const called = await call(workflows, name, params, context);
    if (isTaskHandle(called)) return asJsonObject(called);
    const answer = withOffers(workflows, called, {
      isMeta: isMetaTool(workflows, name),
      caller: context.caller,
    });
    const result = charged(answer, name, context);
    const told = context.caller.era === 'legacy' ? legacyResult(result) : result;
    return asJsonObject(told);
  } catch (error) {
    if (context.signal.aborted || !(error instanceof PmlError)) throw error;
    return asJsonObject(charged(errorResult(error, workflows.mask), name, context));
  } finally {
    foresight?.answered(context.caller);
  }
}

/** What the client says it wants, where it talks to PML itself. */
function saidIn(workflows: Workflows, name: string, params: JsonObject): unknown {
  return isMetaTool(workflows, name) ? asObject(params['arguments'])['intent'] : undefined;
}

/** Everything that is sent to a client is on its account. */
function charged(result: ToolResult, name: string, { budget }: RequestContext): ToolResult {
  budget.current = chargeAnswer(budget.current, name, result);
  return result;
}

function call(
  workflows: Workflows,
  name: string,
  params: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  if (isMetaTool(workflows, name)) {
    return ownCall(workflows, params, context, () =>
      callMetaTool(workflows, name, asObject(params['arguments']), context),
    );
  }
  return namesCapability(workflows.tools, name)
    ? ownCall(workflows, params, context, async () =>
        serveCapability(workflows, name, argumentsOf(params), context),
      )
    : callProxied(workflows, name, params, context);
}

/** A call of a tool of PML. Those of servers are recorded where they are made. */
function ownCall(
  { tools }: Workflows,
  params: JsonObject,
  { caller, signal }: RequestContext,
  call: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const recorded = { way: 'meta', tool: asText(params['name']), request: params } as const;
  return recordActivity(tools.activity, { ...recorded, caller, signal }, call);
}

function isMetaTool({ tools: { settings } }: Workflows, name: string): boolean {
  const { mode, capabilities } = settings.exposure;
  if (mode !== 'proxy') return META_TOOL_NAMES.has(name);
  return name === CONTINUE_TOOL && capabilities.length > 0;
}

function callMetaTool(
  workflows: Workflows,
  name: string,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  // A workflow may be a single call, which depends on nothing that PML learns.
  if (name !== 'pml_execute_workflow') workflows.runs.learnEnded();
  switch (name) {
    case 'pml_discover':
      return serveDiscover(workflows, args, context);
    case 'pml_execute_workflow':
      return serveWorkflow(workflows, args, context);
    case 'pml_execute_code':
      return serveCode(workflows, args, context, { isReadOnly: false });
    case 'pml_read':
      return serveRead(workflows, args, context);
    default:
      return serveContinue(workflows, args, context);
  }
}

async function callProxied(
  workflows: Workflows,
  name: string,
  params: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const args = argumentsOf(params);
  if (name === READ_TOOL) {
    return ownCall(workflows, params, context, async () =>
      readResult(args, workflows.results.of(context.caller.principal)),
    );
  }
  const entry = workflows.tools.viewFor(context.caller.principal).tools.find(name);
  if (!entry) {
    await workflows.tools.toolListing(name);
    if (!workflows.tools.viewFor(context.caller.principal).tools.find(name))
      throw explainMissing(workflows.tools, name);
    return callProxied(workflows, name, params, context);
  }
  const { id } = entry.tool;
  const isListed =
    workflows.tools.viewFor(context.caller.principal).isListed(entry) ||
    isListedApp(entry, context);
  const { approve } = workflows.tools.settings.workflows;
  // Nothing showed the client what it calls: the call meets the same stop as a task would.
  if (!isListed && workflows.tools.admit(id, { approve }).ask) {
    return serveWorkflow(workflows, { tasks: [{ tool: id, args }] }, context);
  }
  const request = {
    id,
    server: entry.server,
    params: { ...pick(params, PASSED_ON), name: entry.name, arguments: args },
  };
  const result = await recordCall(id, () => passCall(workflows, request, context), {
    record: (call) => workflows.executedAlone(context.trail, call, args),
    mask: workflows.mask,
  });
  if (isTaskHandle(result)) return result;
  if (result.isError !== true) workflows.planning.observe(id, result);
  const { exposure, limits } = workflows.tools.settings;
  return limitResult(result, workflows.results.of(context.caller.principal), {
    ...limits,
    keepsStructured: entry.tool.definition.outputSchema !== undefined,
    hasMetaTools: exposure.mode !== 'proxy',
  });
}

/** Clients that show user interfaces list the tools that have one. */
function isListedApp(
  { tool }: { readonly tool: CatalogTool },
  { caller: { capabilities } }: RequestContext,
): boolean {
  return declares(capabilities, UI_EXTENSION) && isAppTool(tool.definition);
}

/** A failure of a call that had left and must not be repeated unseen says so. */
async function passCall(
  workflows: Workflows,
  request: ToolRequest,
  context: RequestContext,
): Promise<ToolResult> {
  let hasLeft = false;
  const onSent = () => {
    hasLeft = true;
  };
  try {
    return await workflows.tools.calls.pass(request, { ...context, onSent });
  } catch (error) {
    if (!(error instanceof PmlError) || !hasLeft || wasRefused(error)) throw error;
    if (workflows.tools.policyOf(request.id).repeatable) throw error;
    const { code, details } = error;
    throw new PmlError(code, tellDoubt(code, error.message), { cause: error, details });
  }
}

function argumentsOf({ arguments: args = {} }: JsonObject): JsonObject {
  if (isJsonObject(args)) return args;
  throw new RpcError(RPC.invalidParams, 'params.arguments must be an object');
}

function pick(params: JsonObject, keys: readonly string[]): JsonObject {
  const picked: Record<string, JsonValue> = {};
  for (const key of Object.keys(params)) {
    if (keys.includes(key)) picked[key] = params[key]!;
  }
  return picked;
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
