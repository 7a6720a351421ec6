import { type Logger, messageOf } from '../core/index.js';
import type { Connection } from './connection/connection.js';

/** The modern revision reports changes of its lists only to clients that listen. */
export function listenForChanges(connection: Connection, log: Logger): void {
  if (connection.greeting.era !== 'modern') return;
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
  };
  connection
    .request('subscriptions/listen', { notifications })
    .catch((error: unknown) => log.debug('not listening', { error: messageOf(error) }));
}
