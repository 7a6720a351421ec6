import type { ActivityLog } from '../../activity/index.js';
import type { Catalog } from '../../catalog/index.js';
import {
  type AccessOf,
  asJsonObject,
  type BeginSignIn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  matchGlobs,
  PmlError,
  type RemoteTask,
  type ServerName,
  type ToolId,
  type ToolResult,
  visible,
} from '../../core/index.js';
import type { Admission, AdmittedCall } from '../../policy/index.js';
import { shortLine } from '../../results/index.js';
import { RpcError } from '../../rpc/index.js';
import type { Caller, ServerPool } from '../../servers/index.js';
import type { CallContext } from '../request-context.js';
import { exposedTask } from '../tasks/exposed-task.js';
import { FollowedCalls } from '../tasks/followed-calls.js';
import { isTaskHandle, mayBeTask, remoteTaskIn } from '../tasks/task-wire.js';
import { assertOverride, withFixed, withoutFixed } from '../user-rules/fixed-arguments.js';
import { asToolResult, safeResult } from './as-tool-result.js';
import { askSignIn } from './ask-sign-in.js';
import type { CallWatch, HowCalled, ToolRequest } from './call-watch.js';
import { paramsFor, sendAndAnswer, withoutResultType } from './pass-request.js';
import { type RecordedCall, recordActivity } from './record-activity.js';

const SHOWN_CHARACTERS = 1_000;

export interface ToolCallsOptions {
  readonly pool: ServerPool;
  readonly catalog: Catalog;
  readonly admit: (tool: ToolId, call: AdmittedCall) => Admission;
  readonly watch?: CallWatch | undefined;
  readonly activity: ActivityLog;
  /** What the client of a call may use. */
  readonly accessOf?: AccessOf | undefined;
  /** Without it no client is sent to a page where its user signs in. */
  readonly beginSignIn?: BeginSignIn | undefined;
  /** A result with the addresses that clients know. */
  readonly expose: (server: ServerName, result: ToolResult) => ToolResult;
}

/** Makes tool calls: permission, era, questions of the server, one retry where it is harmless. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #followed: FollowedCalls;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#followed = new FollowedCalls(options);
  }

  /**
   * Forwards the call and its answer, including `input_required` if the client supports it. The
   * client chose the call itself, so only the user's own rules can stop it here.
   */
  pass(request: ToolRequest, context: CallContext): Promise<ToolResult> {
    return this.#recorded('direct', request, context, () => this.#pass(request, context));
  }

  /**
   * Makes a call of a run, which already has its approvals. PML asks the client to answer the
   * questions of the server.
   */
  complete(request: ToolRequest, context: CallContext): Promise<ToolResult> {
    return this.#recorded('run', request, context, async () => {
      this.#assertPermitted(request, context);
      return this.#watched(request, context, {
        isDirect: false,
        make: (own) => this.#sendAndAnswer(request, own),
        take: withoutResultType,
      });
    });
  }

  #recorded(
    way: RecordedCall['way'],
    { id, server, params }: ToolRequest,
    { caller, origin, signal }: CallContext,
    call: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const recorded = { way, tool: id, server, request: params, caller, signal, ...origin };
    return recordActivity(this.#options.activity, recorded, call);
  }

  async #pass(request: ToolRequest, context: CallContext): Promise<ToolResult> {
    const { ask } = this.#assertPermitted(request, context);
    const wasAsked = ask !== undefined;
    if (wasAsked) await askPermission(request.id, request.params['arguments'] ?? {}, context);
    // A client returns with answers in a new request, and PML would ask for permission again.
    const isPassed = context.caller.era === 'modern' && !wasAsked;
    return this.#watched(request, context, {
      isDirect: true,
      make: (own) => (isPassed ? this.#sendOnce(request, own) : this.#sendAndAnswer(request, own)),
      take: (result) => (isPassed ? result : withoutResultType(result)),
    });
  }

  /**
   * Makes a speculative call once, without a retry; the caller refuses questions of the server.
   * `check` throws right before the call is sent if PML must not make it.
   */
  ahead(request: ToolRequest, context: CallContext, check: () => void): Promise<ToolResult> {
    const own = { ...context, origin: { isSpeculated: true } };
    return this.#recorded('direct', request, own, () => this.#sendAhead(request, own, check));
  }

  async #sendAhead(
    request: ToolRequest,
    context: CallContext,
    check: () => void,
  ): Promise<ToolResult> {
    const { catalog, pool } = this.#options;
    const { id, server: name, params } = request;
    this.#assertPermitted(request, context);
    if (catalog.comparesFirst) await catalog.pins.assertKept();
    const server = pool.get(name);
    const { caller, signal } = context;
    const beforeSend = () => {
      this.#assertListed(request, context);
      check();
    };
    const override = catalog.overridden.of(id);
    const own = paramsFor(server, withFixed(override, params), context);
    const answer = await server.request('tools/call', own, { caller, signal, beforeSend });
    return withoutFixed(override, asToolResult(answer, id));
  }

  /** Returns a result that is ready instead of calling; notifies the watch of every other call. */
  async #watched(
    request: ToolRequest,
    context: CallContext,
    { isDirect, make, take }: WatchedWays,
  ): Promise<ToolResult> {
    const call = this.#options.watch?.began(request, context, { isDirect });
    if (!call) return make(context);
    const ready = call.ready instanceof Promise ? await call.ready : call.ready;
    if (ready) {
      const { result, ageMs } = ready;
      call.ended(result, true);
      const _meta = { ...result._meta, 'pml/speculated': { age_ms: ageMs } };
      return { ...take(result), _meta };
    }
    if (call.ready) call.left();
    let hasLeft = false;
    const onSent = () => {
      hasLeft = true;
      context.onSent?.();
    };
    let result: ToolResult;
    try {
      result = await make({ ...context, onSent });
    } catch (error) {
      call.ended(undefined, !hasLeft || error instanceof RpcError);
      throw error;
    }
    // The server goes on with a task: PML does not know when it has changed what it changes.
    if (isTaskHandle(result)) call.ended(undefined, false);
    else call.ended(result, true);
    return result;
  }

  /** For pinned definitions: the fresh list of the server decides, not the previous one. */
  #assertListed(request: ToolRequest, context: CallContext): void {
    this.#assertPermitted(request, context);
    const { id } = request;
    if (this.#options.catalog.tool(id)?.status === 'active') return;
    throw new PmlError('TOOL_UNKNOWN', `${id} was not called: its server no longer lists it`);
  }

  #assertPermitted({ id, server, params }: ToolRequest, { caller }: CallContext): Admission {
    const tool = this.#options.catalog.tool(id);
    if (tool?.status === 'blocked' || tool?.status === 'quarantined') {
      throw new PmlError('TOOL_BLOCKED', `${id} is ${tool.status}: ${tool.reason ?? ''}`);
    }
    const admission = this.#options.admit(id, { isListed: true });
    if (admission.denied !== undefined) throw new PmlError('TOOL_DENIED', admission.denied);
    this.#assertAccess({ id, server }, caller, admission);
    assertOverride(this.#options.catalog, id, params);
    return admission;
  }

  /** Throws if the token of the client does not allow the call. */
  #assertAccess(
    { id, server }: Pick<ToolRequest, 'id' | 'server'>,
    { onBehalfOf, principal }: Caller,
    { isReading }: Admission,
  ): void {
    const access = this.#options.accessOf?.(onBehalfOf ?? principal);
    if (!access) return;
    const isIn = matchGlobs(access.servers)(server);
    if (isIn && (!access.isReadOnly || isReading)) return;
    const why = isIn ? 'it may only read' : `it may not use ${server}`;
    throw new PmlError('TOOL_DENIED', `${id} is denied to the token of this client: ${why}`);
  }

  /** A client that declares tasks gets the handle, under a name that leads back to the server. */
  async #sendOnce(request: ToolRequest, context: CallContext): Promise<ToolResult> {
    const result = await this.#send(request, request.params, context);
    const remote = isTaskHandle(result) ? remoteTaskIn(asJsonObject(result)) : undefined;
    if (!remote) return result;
    this.#followed.keepFor(request.server, result['ttlMs']);
    return { ...result, taskId: exposedTask(request.server, remote.id) };
  }

  /** Where the server answers with a task, PML waits for the result of that. */
  async #sendAndAnswer(request: ToolRequest, context: CallContext): Promise<ToolResult> {
    const own = this.#followed.contextFor(request, context);
    if (context.remote) return this.#follow(request, context.remote, own);
    const send = async (params: JsonObject) => asJsonObject(await this.#send(request, params, own));
    const answer = await sendAndAnswer(send, this.#followed.paramsFor(request, own), own);
    const remote = remoteTaskIn(answer);
    // `#send` checks every result, and `sendAndAnswer` adds nothing to it.
    if (!remote) return answer as unknown as ToolResult;
    context.onRemote?.(remote);
    return this.#follow(request, remote, own);
  }

  async #follow(
    request: ToolRequest,
    remote: RemoteTask,
    context: CallContext,
  ): Promise<ToolResult> {
    const override = this.#options.catalog.overridden.of(request.id);
    return withoutFixed(override, await this.#followed.follow(request, remote, context));
  }

  async #send(request: ToolRequest, params: JsonObject, context: CallContext): Promise<ToolResult> {
    const { id, server: name } = request;
    const { catalog } = this.#options;
    const isPinned = catalog.comparesFirst;
    if (isPinned) await catalog.pins.assertKept();
    const server = this.#options.pool.get(name);
    const override = catalog.overridden.of(id);
    const own = paramsFor(server, withFixed(override, params), context);
    const { caller, signal, onProgress, onSent } = context;
    const beforeSend = () => this.#assertListed(request, context);
    const options = {
      caller,
      signal,
      ...(onProgress && { onProgress }),
      ...(onSent && { onSent }),
      ...(isPinned && { beforeSend }),
    };
    const call = async () => {
      const answer = await server.request('tools/call', own, options);
      // The handle of a task is no result. A server gives one only to a caller that can use it.
      if (mayBeTask(own, caller) && remoteTaskIn(answer)) return answer as unknown as ToolResult;
      const result = this.#options.expose(name, safeResult(answer, id, server));
      return withoutFixed(override, result);
    };
    try {
      return await call();
    } catch (error) {
      if (this.#mayRepeat(id, error)) return call();
      const { beginSignIn } = this.#options;
      const isSignedIn = beginSignIn && (await askSignIn(name, error, { context, beginSignIn }));
      if (!isSignedIn) throw error;
      return call();
    }
  }

  /** Whether to retry after the server crashed during the call: only if the tool is repeatable. */
  #mayRepeat(id: ToolId, error: unknown): boolean {
    const isCrash = error instanceof PmlError && error.code === 'SERVER_CRASHED';
    return isCrash && this.#options.admit(id, {}).repeatable;
  }
}

interface WatchedWays extends HowCalled {
  /** Makes the call. */
  readonly make: (context: CallContext) => Promise<ToolResult>;
  /** Converts a result that was ready to the form that this kind of call returns. */
  readonly take: (result: ToolResult) => ToolResult;
}

/** Throws unless the user approves. */
async function askPermission(id: ToolId, args: JsonValue, context: CallContext): Promise<void> {
  const { caller, signal } = context;
  if (!caller.capabilities['elicitation']) {
    throw new PmlError(
      'TOOL_DENIED',
      `${id} needs the user's approval ("permissions.ask"), and this client cannot ask its user. Tell the user, who can move it to "permissions.allow" to run it without`,
    );
  }
  const message = `Allow ${visible(id)} with ${shortLine(JSON.stringify(args), SHOWN_CHARACTERS)}?`;
  const requestedSchema = {
    type: 'object',
    properties: { allow: { type: 'boolean', title: 'Allow this call', default: false } },
    required: ['allow'],
  };
  const answer = await caller.ask('elicitation/create', { message, requestedSchema }, signal);
  const content = isJsonObject(answer['content']) ? answer['content'] : {};
  if (answer['action'] === 'accept' && content['allow'] === true) return;
  throw new PmlError('TOOL_DENIED', `The user did not allow ${id}`);
}
