import { asText, type JsonObject, type Logger, messageOf } from '../core/index.js';
import type { Connection } from './connection/connection.js';

const TIMEOUT_MS = 30_000;

/**
 * The resources that clients are subscribed to. A server loses its subscriptions when it ends, so
 * PML subscribes again with its successor.
 */
export class WatchedResources {
  readonly #uris = new Set<string>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  get size(): number {
    return this.#uris.size;
  }

  /** Records a subscription request that the server has accepted. */
  note(method: string, params: JsonObject | undefined): void {
    if (method === 'resources/subscribe') this.#uris.add(asText(params?.['uri']));
    if (method === 'resources/unsubscribe') this.#uris.delete(asText(params?.['uri']));
  }

  /** Subscribes again with a server that has just started. */
  tell(connection: Connection): void {
    for (const uri of this.#uris) this.#send(connection, 'resources/subscribe', uri);
  }

  /** No client is subscribed to it any more. */
  drop(uri: string, connections: readonly Connection[]): void {
    if (!this.#uris.delete(uri)) return;
    for (const connection of connections) this.#send(connection, 'resources/unsubscribe', uri);
  }

  #send(connection: Connection, method: string, uri: string): void {
    if (connection.greeting.era !== 'legacy') return;
    connection
      .request(method, { uri }, { timeoutMs: TIMEOUT_MS })
      .catch((error: unknown) =>
        this.#log.warn('not done', { method, uri, error: messageOf(error) }),
      );
  }
}
