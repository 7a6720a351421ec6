import type { Catalog } from '../../catalog/index.js';
import {
  type JsonObject,
  type RemoteTask,
  type ServerName,
  TASKS_EXTENSION,
  type ToolResult,
  withExtension,
} from '../../core/index.js';
import type { Caller, ServerPool } from '../../servers/index.js';
import { safeResult } from '../calls/as-tool-result.js';
import type { ToolRequest } from '../calls/call-watch.js';
import { paramsFor } from '../calls/pass-request.js';
import type { CallContext } from '../request-context.js';
import { followTask } from './follow-task.js';
import { isTaskOnly, speaksTasks, takesTaskCalls } from './task-wire.js';

/** A result may take as long as the task itself; polls before it say whether the server lives. */
const RESULT_MS = 24 * 3_600_000;
/** How long a server of the older form should keep a task, and how long PML keeps one for a client. */
const KEEP_MS = 3_600_000;

export interface FollowedOptions {
  readonly catalog: Pick<Catalog, 'server' | 'tool'>;
  readonly pool: Pick<ServerPool, 'get'>;
  /** A result with the addresses that clients know. */
  readonly expose: (server: ServerName, result: ToolResult) => ToolResult;
}

/** Calls that PML waits for to their end, also if their server makes a task of them. */
export class FollowedCalls {
  readonly #catalog: FollowedOptions['catalog'];
  readonly #pool: FollowedOptions['pool'];

  readonly #expose: FollowedOptions['expose'];

  constructor({ catalog, pool, expose }: FollowedOptions) {
    this.#catalog = catalog;
    this.#pool = pool;
    this.#expose = expose;
  }

  /**
   * The context in which a call is sent: a server with tasks hears that PML can wait for one. Calls of
   * runs go out in the era that has them, because only a task survives a crash of PML.
   */
  contextFor({ server }: ToolRequest, context: CallContext): CallContext {
    const known = this.#catalog.server(server);
    if (!known || !speaksTasks(known.listing.capabilities)) return context;
    const { caller, origin } = context;
    const isModern = origin?.run !== undefined && known.eras.includes('modern');
    const capabilities = withExtension(caller.capabilities, TASKS_EXTENSION);
    return { ...context, caller: { ...caller, capabilities, ...(isModern && { era: 'modern' }) } };
  }

  /** A tool of the older form that runs only as a task is called as one. */
  paramsFor({ id, server, params }: ToolRequest, { caller }: CallContext): JsonObject {
    const execution = this.#catalog.tool(id)?.definition['execution'];
    if (!isTaskOnly(execution) || this.#pool.get(server).eraFor(caller) !== 'legacy') return params;
    const capabilities = this.#catalog.server(server)?.listing.capabilities ?? {};
    return takesTaskCalls(capabilities) ? { ...params, task: { ttl: KEEP_MS } } : params;
  }

  async follow(
    { id, server: name }: ToolRequest,
    remote: RemoteTask,
    { caller, signal, onProgress, onSent, asker = () => caller }: CallContext,
  ): Promise<ToolResult> {
    // The call has left, if not from this process.
    onSent?.();
    const server = this.#pool.get(name);
    const capabilities = withExtension(caller.capabilities, TASKS_EXTENSION);
    const own: Caller = { ...caller, capabilities, era: remote.era };
    const request = (method: string, params: JsonObject, stop: AbortSignal) =>
      server.request(method, paramsFor(server, params, { caller: own }), {
        caller: own,
        signal: stop,
        ...(method === 'tasks/result' && { timeoutMs: RESULT_MS }),
      });
    const ask: Caller['ask'] = (...question) => asker().ask(...question);
    // A server that ends between two polls takes its tasks with it.
    const release = server.hold();
    try {
      const answer = await followTask(remote, { request, ask, signal, onProgress });
      return this.#expose(name, safeResult(answer, id, server));
    } finally {
      release();
    }
  }

  /** A client asks for its task itself, and may do so rarely: until then the server must not end. */
  keepFor(name: ServerName, ttlMs: unknown): void {
    const ms = typeof ttlMs === 'number' && ttlMs >= 0 ? Math.min(ttlMs, KEEP_MS) : KEEP_MS;
    setTimeout(this.#pool.get(name).hold(), ms).unref();
  }
}
