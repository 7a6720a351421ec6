import { canonicalJson, type JsonObject, type Progress, type ServerSpec } from '../core/index.js';
import { type RequestOptions, RpcError } from '../rpc/index.js';
import type { Caller } from './caller.js';
import type { Connections } from './connection/connections.js';
import { isSessionGone } from './connection/http-channel.js';
import type { LiveConnection } from './connection/live-connection.js';
import { raceAbort } from './race-abort.js';
import { Semaphore } from './semaphore.js';
import type { ServerLists } from './server-lists.js';
import { isHeaderMismatch, type ToolHeaders } from './tool-headers.js';
import type { WatchedResources } from './watched-resources.js';

export interface RequestSettings {
  readonly callTimeoutMs: number;
  readonly maxConcurrency: number;
}

export interface ServerRequestOptions {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** The request has left for the server. */
  readonly onSent?: () => void;
  /**
   * Called when the server runs and its fresh lists were handed on, right before the request leaves.
   * If it throws, the request does not leave. Without it no request waits for lists.
   */
  readonly beforeSend?: () => void;
}

export interface RequestParts {
  readonly connections: Connections;
  readonly lists: ServerLists;
  readonly headers: ToolHeaders;
  readonly watched: WatchedResources;
  readonly nameError: (error: unknown) => Error;
  readonly mask: (text: string) => string;
}

/** Sends requests to one server, a limited number at a time. */
export class ServerRequests {
  readonly #spec: ServerSpec;
  readonly #parts: RequestParts;
  readonly #callTimeoutMs: number;
  readonly #places: Semaphore;

  constructor(spec: ServerSpec, settings: RequestSettings, parts: RequestParts) {
    this.#spec = spec;
    this.#parts = parts;
    this.#callTimeoutMs = spec.timeoutMs ?? settings.callTimeoutMs;
    this.#places = new Semaphore(spec.maxConcurrency ?? settings.maxConcurrency);
  }

  async request(
    method: string,
    params: JsonObject | undefined,
    options: ServerRequestOptions,
  ): Promise<JsonObject> {
    const turn = this.#places.enter(options.signal);
    if (turn) await turn;
    try {
      const result = await this.#once(method, params, options).catch((error: unknown) => {
        if (!isSessionGone(error)) throw error;
        return this.#once(method, params, options);
      });
      this.#parts.watched.note(method, params);
      return result;
    } finally {
      this.#places.leave();
    }
  }

  async #once(
    method: string,
    params: JsonObject | undefined,
    { caller, signal, timeoutMs, onProgress, onSent, beforeSend }: ServerRequestOptions,
  ): Promise<JsonObject> {
    const { connections, lists, nameError } = this.#parts;
    const live = connections.running(caller) ?? (await connections.connect(caller, signal));
    if (beforeSend && !live.isListed) await raceAbort(lists.readFirst(live), signal);
    beforeSend?.();
    const call = live.enter(caller);
    try {
      const result = await this.#send(live, method, params, {
        timeoutMs: timeoutMs ?? this.#callTimeoutMs,
        ...(signal && { signal }),
        ...(onProgress && { onProgress: (progress) => onProgress(this.#maskProgress(progress)) }),
        ...(onSent && { onSent }),
        beforeSend,
      });
      live.hasAnswered = true;
      return result;
    } catch (error) {
      if (error instanceof RpcError) live.hasAnswered = true;
      if (isSessionGone(error)) connections.forget(live);
      throw nameError(error);
    } finally {
      live.leave(call);
      connections.callEnded(live);
    }
  }

  /** Adds the headers that the tool's list entry asks for. If the server wants others, PML reads the list again. */
  async #send(
    live: LiveConnection,
    method: string,
    params: JsonObject | undefined,
    { beforeSend, ...options }: RequestOptions & { readonly beforeSend: (() => void) | undefined },
  ): Promise<JsonObject> {
    const connection = live.started();
    if (this.#spec.kind !== 'http' || connection.greeting.era !== 'modern') {
      return connection.request(method, params, options);
    }
    const { lists, headers } = this.#parts;
    const sent = headers.of(method, params);
    const withHeaders = (own: typeof sent) => (own ? { ...options, headers: own } : options);
    try {
      return await connection.request(method, params, withHeaders(sent));
    } catch (error) {
      if (!isHeaderMismatch(error) || method !== 'tools/call') throw error;
      await lists.read(live);
      beforeSend?.();
      const wanted = headers.of(method, params);
      // The server refused the call unread, so a second one repeats nothing.
      if (canonicalJson(wanted ?? {}) === canonicalJson(sent ?? {})) throw error;
      return connection.request(method, params, withHeaders(wanted));
    }
  }

  #maskProgress(progress: Progress): Progress {
    const { message } = progress;
    if (typeof message !== 'string') return progress;
    return { ...progress, message: this.#parts.mask(message) };
  }
}
