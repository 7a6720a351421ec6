import { signal } from '@preact/signals';

import type { DashboardMessage, DashboardSnapshot } from '../../src/control/contract/events.js';
import { ApiError, ask } from './api.js';
import { applyMessage } from './apply-message.js';

export type Connection = 'connecting' | 'live' | 'lost' | 'signed-out';

export const connection = signal<Connection>('connecting');
/** Everything the daemon told last, kept up to date by its messages. */
export const snapshot = signal<DashboardSnapshot | undefined>(undefined);

const RETRY_MS = 1_000;

/** Follows the daemon until the page is closed; resumes by itself after the daemon was away. */
export function connect(): void {
  const events = new EventSource('/api/events');
  events.onopen = () => (connection.value = 'live');
  events.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as DashboardMessage;
    snapshot.value = applyMessage(snapshot.value, message);
  };
  events.onerror = () => {
    connection.value = 'lost';
    // A browser tries again by itself, but not after an answer that is no stream.
    if (events.readyState !== EventSource.CLOSED) return;
    void reconnect();
  };
}

async function reconnect(): Promise<void> {
  try {
    await ask('graph-progress', {});
    connect();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) connection.value = 'signed-out';
    else setTimeout(() => void reconnect(), RETRY_MS);
  }
}
