import { type Logger, messageOf } from '../core/index.js';
import type { Connection } from './connection/connection.js';

const TIMEOUT_MS = 10_000;

/** The log level that the clients want of a server. PML sends it to every instance that starts later. */
export class ServerLogLevel {
  readonly #log: Logger;
  #level: string | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  set(level: string, connections: readonly Connection[]): void {
    this.#level = level;
    for (const connection of connections) this.tell(connection);
  }

  tell(connection: Connection): void {
    const { era, capabilities } = connection.greeting;
    if (this.#level === undefined || era !== 'legacy' || !capabilities['logging']) return;
    connection
      .request('logging/setLevel', { level: this.#level }, { timeoutMs: TIMEOUT_MS })
      .catch((error: unknown) => this.#log.debug('log level refused', { error: messageOf(error) }));
  }
}
