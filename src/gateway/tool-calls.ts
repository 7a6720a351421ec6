import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';

import type { Catalog } from '../catalog/index.js';
import {
  asText,
  isJsonObject,
  type JsonObject,
  PmlError,
  type ServerName,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import type { ManagedServer, ServerPool } from '../servers/index.js';
import type { Permission } from './permission.js';
import type { RequestContext } from './request-context.js';

/** A server may ask again after each answer; more rounds than this is a loop. */
const MAX_ROUNDS = 16;
const ENVELOPE = 'io.modelcontextprotocol/';

export interface ToolRequest {
  readonly id: ToolId;
  readonly server: ServerName;
  readonly name: string;
  readonly args: JsonObject;
  readonly meta: JsonObject | undefined;
  /** What a client of the stateless revision adds when it comes back with answers. */
  readonly retry: JsonObject;
}

export interface ToolCallsOptions {
  readonly pool: ServerPool;
  readonly catalog: Catalog;
  readonly permissionOf: (tool: ToolId) => Permission;
}

/** Makes tool calls: permission, era, questions of the server, one retry where it is harmless. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** Passes the call on and its answer back, `input_required` included where the client knows it. */
  async pass(request: ToolRequest, context: RequestContext): Promise<ToolResult> {
    await this.#permit(request, context);
    const isModern = context.caller.era === 'modern';
    return isModern ? this.#send(request, context) : this.#sendAndAnswer(request, context);
  }

  /** Makes the call and answers all its server asks, by asking the client. */
  async complete(request: ToolRequest, context: RequestContext): Promise<ToolResult> {
    await this.#permit(request, context);
    return this.#sendAndAnswer(request, context);
  }

  async #permit({ id, args }: ToolRequest, context: RequestContext): Promise<void> {
    const tool = this.#options.catalog.tool(id);
    if (tool?.status === 'blocked' || tool?.status === 'quarantined') {
      throw new PmlError('TOOL_BLOCKED', `${id} is ${tool.status}: ${tool.reason ?? ''}`);
    }
    switch (this.#options.permissionOf(id)) {
      case 'allow':
        return;
      case 'deny':
        throw new PmlError('TOOL_DENIED', `${id} is denied by "permissions" in the configuration`);
      case 'ask':
        return askPermission(id, args, context);
    }
  }

  async #sendAndAnswer(request: ToolRequest, context: RequestContext): Promise<ToolResult> {
    let current = request;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = await this.#send(current, context);
      if (result['resultType'] !== 'input_required') return withoutResultType(result);
      current = { ...request, retry: await answerQuestions(result, context) };
    }
    throw new PmlError(
      'SERVER_PROTOCOL_ERROR',
      `${request.id} asked ${MAX_ROUNDS} times for input`,
    );
  }

  async #send(request: ToolRequest, context: RequestContext): Promise<ToolResult> {
    const server = this.#options.pool.get(request.server);
    const params = callParams(request, context, server);
    const { caller, signal, onProgress } = context;
    const options = { caller, signal, ...(onProgress && { onProgress }) };
    try {
      return asToolResult(await server.request('tools/call', params, options), request.id);
    } catch (error) {
      if (!this.#mayRepeat(request.id, error)) throw error;
      return asToolResult(await server.request('tools/call', params, options), request.id);
    }
  }

  /** The server died under the call. Only what changes nothing is sent a second time. */
  #mayRepeat(id: ToolId, error: unknown): boolean {
    const hints = this.#options.catalog.tool(id)?.definition.annotations;
    const isHarmless = hints?.readOnlyHint === true || hints?.idempotentHint === true;
    return error instanceof PmlError && error.code === 'SERVER_CRASHED' && isHarmless;
  }
}

function callParams(
  { name, args, meta, retry }: ToolRequest,
  { caller }: RequestContext,
  server: ManagedServer,
): JsonObject {
  const { progressToken: _token, ...given } = meta ?? {};
  if (server.eraFor(caller) === 'legacy') {
    const kept = Object.entries(given).filter(([key]) => !key.startsWith(ENVELOPE));
    const rest = kept.length > 0 ? { _meta: Object.fromEntries(kept) } : {};
    return { name, arguments: args, ...rest };
  }
  const envelope = {
    [CLIENT_INFO_META_KEY]: caller.info,
    [CLIENT_CAPABILITIES_META_KEY]: caller.capabilities,
  };
  return { name, arguments: args, ...retry, _meta: { ...envelope, ...given } };
}

async function answerQuestions(result: ToolResult, context: RequestContext): Promise<JsonObject> {
  const requests = isJsonObject(result['inputRequests']) ? result['inputRequests'] : {};
  const answers = await Promise.all(
    Object.entries(requests).map(async ([key, request]) => {
      const { method, params } = request as JsonObject;
      const asked = isJsonObject(params) ? params : undefined;
      return [key, await context.caller.ask(asText(method), asked, context.signal)] as const;
    }),
  );
  const state = result['requestState'];
  return {
    inputResponses: Object.fromEntries(answers),
    ...(typeof state === 'string' && { requestState: state }),
  };
}

async function askPermission(id: ToolId, args: JsonObject, context: RequestContext): Promise<void> {
  const { caller, signal } = context;
  if (!caller.capabilities['elicitation']) {
    throw new PmlError(
      'TOOL_DENIED',
      `${id} needs a confirmation ("permissions.ask") and this client cannot ask its user; move it to permissions.allow to run it without`,
    );
  }
  const message = `Allow ${id} with ${JSON.stringify(args).slice(0, 1_000)}?`;
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

function asToolResult(result: JsonObject, id: ToolId): ToolResult {
  if (Array.isArray(result['content']) || result['resultType'] === 'input_required') {
    return result as unknown as ToolResult;
  }
  if (result['content'] === undefined) return { ...result, content: [] } as unknown as ToolResult;
  throw new PmlError('SERVER_PROTOCOL_ERROR', `${id} answered with "content" that is not a list`);
}

/** The older revision has no result types. */
function withoutResultType(result: ToolResult): ToolResult {
  if (result['resultType'] === undefined) return result;
  const { resultType: _type, ...rest } = result;
  return rest as ToolResult;
}
