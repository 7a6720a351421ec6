import {
  isJsonObject,
  type JsonObject,
  messageOf,
  MOST_NESTING,
  nestsDeeper,
  PmlError,
  type Progress,
  silentLogger,
  type Logger,
} from '../core/index.js';
import type { Channel } from './channel.js';
import {
  messageKind,
  RPC,
  RpcError,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from './messages.js';

/** A request that keeps reporting progress may take this many times its timeout. */
const PROGRESS_PATIENCE = 10;

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Without a response in time the request is cancelled and rejects with `TOOL_TIMED_OUT`. */
  readonly timeoutMs?: number;
  /** Asks the other side for progress. Each report restarts the timeout, within limits. */
  readonly onProgress?: (progress: Progress) => void;
  /** The request was handed to the channel. It may reach the other side even if this one fails. */
  readonly onSent?: () => void;
  /** Related request of the other side, for transports with several streams. */
  readonly relatedRequestId?: RpcId;
  /** For transports that have headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PeerHandlers {
  /** Answers a request of the other side. Reject with `RpcError` to choose the code. */
  request(request: RpcRequest, signal: AbortSignal): Promise<JsonObject>;
  notification(notification: RpcNotification): void;
  closed(reason: Error): void;
}

interface Pending {
  readonly method: string;
  settle(outcome: { result: JsonObject } | { error: Error }): void;
  progress(progress: Progress): void;
  holdTimeout(): void;
  releaseTimeout(heldMs: number): void;
}

/**
 * Pairs requests with responses over a channel, in both directions. Unexpected responses (late,
 * duplicate, with an unknown id) are dropped and logged: they must never reach another request.
 */
export class Peer {
  readonly #channel: Channel;
  readonly #handlers: PeerHandlers;
  readonly #log: Logger;
  readonly #pending = new Map<RpcId, Pending>();
  readonly #answering = new Map<RpcId, AbortController>();
  #nextId = 1;
  #holds = 0;
  #heldSince = 0;
  #closed: Error | undefined;

  constructor(channel: Channel, handlers: PeerHandlers, log: Logger = silentLogger) {
    this.#channel = channel;
    this.#handlers = handlers;
    this.#log = log;
    channel.onmessage = (message) => this.#receive(message);
    channel.onclose = (reason) => this.#onClose(reason);
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  request(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    const { signal, timeoutMs, onProgress } = options;
    if (this.#closed) return Promise.reject(this.#closed);
    if (signal?.aborted) return Promise.reject(cancelled(method, signal));
    const id = this.#nextId++;
    return new Promise<JsonObject>((resolve, reject) => {
      const ended = this.#channel.wantsRequestSignal ? new AbortController() : undefined;
      const finish = () => {
        this.#pending.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const giveUp = (error: Error) => {
        finish();
        this.notify('notifications/cancelled', { requestId: id, reason: error.message });
        ended?.abort(error);
        reject(error);
      };
      const onAbort = () => giveUp(cancelled(method, signal));
      const onTimeout = () => giveUp(timedOut(method, timeoutMs ?? 0));
      let timer: NodeJS.Timeout | undefined;
      let deadline = performance.now() + (timeoutMs ?? 0) * PROGRESS_PATIENCE;
      const startTimeout = () => {
        if (timeoutMs === undefined || this.#holds > 0) return;
        const leftMs = Math.max(0, deadline - performance.now());
        clearTimeout(timer);
        timer = setTimeout(onTimeout, Math.min(timeoutMs, leftMs));
      };
      startTimeout();
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        method,
        settle: (outcome) => {
          finish();
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.result);
        },
        progress: (progress) => {
          startTimeout();
          onProgress?.(progress);
        },
        holdTimeout: () => clearTimeout(timer),
        releaseTimeout: (heldMs) => {
          deadline += heldMs;
          startTimeout();
        },
      });
      const sent = onProgress ? withProgressToken(params, id) : params;
      const message: RpcRequest =
        sent === undefined
          ? { jsonrpc: '2.0', id, method }
          : { jsonrpc: '2.0', id, method, params: sent };
      this.#send(
        message,
        {
          ...related(options),
          ...(ended && { requestSignal: ended.signal }),
          ...(options.headers && { headers: options.headers }),
        },
        (error) => {
          this.#pending.get(id)?.settle({ error });
        },
      );
      // A message that the channel refused at once has settled already.
      if (this.#pending.has(id)) options.onSent?.();
    });
  }

  /**
   * Suspends all request timeouts until the returned function is called, which restarts them within
   * the limits of progress: meanwhile the other side waits for us.
   */
  holdTimeouts(): () => void {
    if (this.#holds++ === 0) {
      this.#heldSince = performance.now();
      for (const pending of this.#pending.values()) pending.holdTimeout();
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--this.#holds > 0) return;
      const heldMs = performance.now() - this.#heldSince;
      for (const pending of this.#pending.values()) pending.releaseTimeout(heldMs);
    };
  }

  notify(method: string, params?: JsonObject, relatedRequestId?: RpcId): void {
    if (this.#closed) return;
    const message: RpcNotification = params
      ? { jsonrpc: '2.0', method, params }
      : { jsonrpc: '2.0', method };
    this.#send(message, related({ relatedRequestId }), (error) =>
      this.#log.debug('notification not sent', { method, error: messageOf(error) }),
    );
  }

  async close(reason: Error): Promise<void> {
    await this.#channel.close(reason);
    this.#onClose(reason);
  }

  #send(
    message: RpcMessage,
    options: Parameters<Channel['send']>[1],
    onFailure: (error: Error) => void,
  ): void {
    try {
      const sending = this.#channel.send(message, options);
      sending?.catch((error: unknown) => onFailure(toError(error)));
    } catch (error) {
      onFailure(toError(error));
    }
  }

  #receive(message: RpcMessage): void {
    switch (messageKind(message)) {
      case 'response':
        return this.#onResponse(message as RpcResponse);
      case 'request':
        return void this.#onRequest(message as RpcRequest).catch((error: unknown) =>
          this.#log.warn('answer not sent', { error: messageOf(error) }),
        );
      case 'notification':
        return this.#hear(message as RpcNotification);
      case 'error-without-id':
        return this.#log.warn('the other side reported an error', { message });
      case undefined:
        return this.#log.warn('not a JSON-RPC message');
    }
  }

  #onResponse(response: RpcResponse): void {
    const pending = response.id === null ? undefined : this.#pending.get(response.id);
    if (!pending) return this.#log.debug('answer to no pending request', { id: response.id });
    if ('result' in response) return pending.settle(readResult(pending.method, response.result));
    pending.settle({ error: readError(response.error) });
  }

  async #onRequest(request: RpcRequest): Promise<void> {
    const stop = new AbortController();
    this.#answering.set(request.id, stop);
    const response = await this.#handlers
      .request(request, stop.signal)
      .then((result): RpcResponse => ({ jsonrpc: '2.0', id: request.id, result }))
      .catch((error: unknown): RpcResponse => errorResponse(request.id, error));
    this.#answering.delete(request.id);
    // A cancelled request wants no answer; a closed channel cannot carry one.
    if (stop.signal.aborted || this.#closed) return;
    const options = { relatedRequestId: request.id };
    try {
      await this.#channel.send(response, options);
    } catch (error) {
      // If the response cannot be sent, send an error: silence would keep the other side waiting.
      if (!this.#closed) await this.#channel.send(errorResponse(request.id, error), options);
    }
  }

  /** Whatever a notification contains, later messages are still read. */
  #hear(notification: RpcNotification): void {
    try {
      this.#onNotification(notification);
    } catch (error) {
      const { method } = notification;
      this.#log.warn('notification dropped', { method, error: messageOf(error) });
    }
  }

  #onNotification(notification: RpcNotification): void {
    const params = notification.params;
    if (notification.method === 'notifications/cancelled' && isJsonObject(params)) {
      const id = params['requestId'];
      if (typeof id === 'string' || typeof id === 'number') {
        const stop = this.#answering.get(id);
        if (stop) return stop.abort(new PmlError('CALL_CANCELLED', 'cancelled by the other side'));
      }
    }
    if (notification.method === 'notifications/progress' && isJsonObject(params)) {
      const token = params['progressToken'];
      const pending =
        typeof token === 'string' || typeof token === 'number'
          ? this.#pending.get(token)
          : undefined;
      // A client that validates its input would refuse progress that is not a number.
      if (pending && !Number.isFinite(params['progress'])) return;
      if (pending) return pending.progress(readProgress(params));
    }
    this.#handlers.notification(notification);
  }

  #onClose(reason: Error): void {
    if (this.#closed) return;
    this.#closed = reason;
    for (const pending of this.#pending.values()) pending.settle({ error: reason });
    for (const stop of this.#answering.values()) stop.abort(reason);
    this.#handlers.closed(reason);
  }
}

function errorResponse(id: RpcId, error: unknown): RpcResponse {
  const body =
    error instanceof RpcError
      ? error.body
      : { code: RPC.internalError, message: messageOf(error) || 'internal error' };
  return { jsonrpc: '2.0', id, error: body };
}

function related(options: { relatedRequestId?: RpcId | undefined }): { relatedRequestId?: RpcId } {
  return options.relatedRequestId === undefined
    ? {}
    : { relatedRequestId: options.relatedRequestId };
}

function withProgressToken(params: JsonObject | undefined, token: RpcId): JsonObject {
  const meta = params?.['_meta'];
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : {}), progressToken: token } };
}

/** Keeps every field of the report except the token, which belongs to one connection. */
function readProgress(params: JsonObject): Progress {
  const { progressToken: _token, ...rest } = params;
  // PML forwards the report of a server unchanged, whatever it contains.
  return rest as unknown as Progress;
}

function readResult(method: string, result: unknown): { result: JsonObject } | { error: Error } {
  const fault = (what: string) => ({
    error: new PmlError('SERVER_PROTOCOL_ERROR', `the answer to ${method} ${what}`),
  });
  if (!isJsonObject(result)) return fault('is not an object');
  if (nestsDeeper(result, MOST_NESTING)) {
    return fault(`nests more than ${MOST_NESTING} levels deep`);
  }
  return { result };
}

function readError(error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {};
  return new RpcError(
    typeof code === 'number' ? code : RPC.internalError,
    typeof message === 'string' ? message : 'unknown error',
    data !== undefined && nestsDeeper(data, MOST_NESTING) ? undefined : data,
  );
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function cancelled(method: string, signal: AbortSignal | undefined): PmlError {
  return new PmlError('CALL_CANCELLED', `${method} was cancelled`, { cause: signal?.reason });
}

function timedOut(method: string, timeoutMs: number): PmlError {
  return new PmlError('TOOL_TIMED_OUT', `no answer to ${method} within ${timeoutMs} ms`, {
    details: { method, timeoutMs },
  });
}
