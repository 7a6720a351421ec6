import { isJsonObject, type JsonObject, PmlError, type ServerName } from '../../core/index.js';
import { RPC, RpcError, type RpcRequest } from '../../rpc/index.js';
import type { Caller } from '../caller.js';
import type { Connection } from './connection.js';

/** A connection and its running calls, which show which client a server question is for. */
export class LiveConnection {
  readonly #server: ServerName;
  /** The caller it was opened for; undefined if PML only reads its lists. */
  readonly opener: Caller | undefined;
  readonly #calls = new Set<{ readonly caller: Caller }>();
  connection: Connection | undefined;
  /** Has given at least one good answer, so a later exit is not a failed start. */
  hasAnswered = false;
  hasBeenCalled = false;
  /** PML has read and published its tools since its start and their last reported change. */
  isListed = false;
  /** How often the server reported a change of its tools. */
  toolChanges = 0;
  /** When a request first needed it, by the clock of its server. */
  wantedAt: number | undefined;
  /** Resolves when the first request comes or the connection ends. */
  readonly fate: Promise<'called' | 'ended'>;
  readonly #decideFate: (fate: 'called' | 'ended') => void;

  constructor(server: ServerName, opener: Caller | undefined) {
    this.#server = server;
    this.opener = opener;
    let decide: (fate: 'called' | 'ended') => void = () => {};
    this.fate = new Promise((resolve) => (decide = resolve));
    this.#decideFate = decide;
  }

  /** Its connection, after the handshake. */
  started(): Connection {
    if (this.connection) return this.connection;
    throw new PmlError('SERVER_NOT_STARTED', 'the server is still starting');
  }

  get callCount(): number {
    return this.#calls.size;
  }

  enter(caller: Caller): { readonly caller: Caller } {
    const call = { caller };
    this.#calls.add(call);
    this.hasBeenCalled = true;
    this.#decideFate('called');
    return call;
  }

  /** The connection is closed. */
  ended(): void {
    this.#decideFate('ended');
  }

  leave(call: { readonly caller: Caller }): void {
    this.#calls.delete(call);
  }

  /** The newest caller if all running calls belong to one user; otherwise undefined. */
  onlyCaller(except: ReadonlySet<Caller> = new Set()): Caller | undefined {
    let found: Caller | undefined;
    for (const { caller } of this.#calls) {
      if (except.has(caller)) continue;
      if (found && found.user !== caller.user) return undefined;
      found = caller;
    }
    return found;
  }

  /** Answers a server question by asking the client it works for. Users may take their time. */
  async answer(request: RpcRequest, signal: AbortSignal): Promise<JsonObject> {
    if (request.method === 'ping') return {};
    const release = this.connection?.holdTimeouts();
    try {
      return await this.#ask(request, signal);
    } finally {
      release?.();
    }
  }

  async #ask(request: RpcRequest, signal: AbortSignal): Promise<JsonObject> {
    const isRoots = request.method === 'roots/list';
    const params = isJsonObject(request.params) ? request.params : undefined;
    const tried = new Set<Caller>();
    for (let caller = this.onlyCaller(); caller; caller = this.onlyCaller(tried)) {
      tried.add(caller);
      try {
        return await caller.ask(request.method, params, signal);
      } catch (error) {
        // The server does not name the call it asks for: if this one ended, it was for another.
        if (!isCancelled(error) || signal.aborted || !this.onlyCaller(tried)) throw error;
      }
    }
    if (isRoots && this.callCount === 0 && this.opener) {
      return this.opener.ask(request.method, params, signal);
    }
    if (isRoots && this.callCount === 0) return { roots: [] };
    throw new RpcError(RPC.internalError, this.#whyNobody(request.method));
  }

  #whyNobody(method: string): string {
    return this.callCount === 0
      ? `${method}: no client has a call running on ${this.#server}, so PML has no client to ask`
      : `${method}: several clients have calls running on ${this.#server}, and it does not say which one it means; set "isolation": "per-client" for it`;
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof PmlError && error.code === 'CALL_CANCELLED';
}
