/** The live stream of the daemon: connects, reconnects, and folds what comes into signals. */
import { computed, signal } from '@preact/signals';

import type { DashboardMessage } from '../../src/control/contract/events.js';
import { OWN_HEADERS } from './api.js';
import { applyMessage, type LiveState } from './pure/fold-live.js';

/** `lost`: the page shows what it knew last. `signed-out`: the daemon wants a new sign-in. */
export type Connection = 'connecting' | 'open' | 'lost' | 'signed-out';

const RETRY_MS = 1_500;

const live = signal<LiveState | undefined>(undefined);
export const connection = signal<Connection>('connecting');

export const daemonStatus = computed(() => live.value?.status);
export const clients = computed(() => live.value?.clients ?? []);
export const runs = computed(() => live.value?.runs ?? []);
export const questions = computed(() => live.value?.questions ?? []);
export const calls = computed(() => live.value?.calls ?? []);
export const metrics = computed(() => live.value?.metrics);
export const runEvents = computed(() => live.value?.events ?? []);
/** Views read again what they show whenever these change. */
export const toolsVersion = computed(() => live.value?.toolsVersion ?? 0);
export const capabilitiesVersion = computed(() => live.value?.capabilitiesVersion ?? 0);
export const snapshots = computed(() => live.value?.snapshots ?? 0);

/** Follows the stream until the returned function is called. */
export function followDaemon(): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const connect = () => {
    source = new EventSource('/api/events');
    source.onopen = () => {
      connection.value = 'open';
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      // Only our own daemon writes to this stream.
      live.value = applyMessage(live.value, JSON.parse(data) as DashboardMessage);
      connection.value = 'open';
    };
    source.onerror = () => {
      connection.value = 'lost';
      // The browser retries by itself, with the id of the last event, unless the daemon refused.
      if (source?.readyState === EventSource.CLOSED) void refused();
    };
  };

  const refused = async () => {
    if (await isSignedOut()) connection.value = 'signed-out';
    if (!isOver) retry = setTimeout(connect, RETRY_MS);
  };

  connect();
  return () => {
    isOver = true;
    clearTimeout(retry);
    source?.close();
  };
}

/** An event source does not say why it was refused. */
async function isSignedOut(): Promise<boolean> {
  try {
    const { status } = await fetch('/api/questions', {
      method: 'POST',
      headers: OWN_HEADERS,
      body: '{}',
    });
    return status === 401 || status === 403;
  } catch {
    return false; // The daemon is away: that is no refusal.
  }
}
