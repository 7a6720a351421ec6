import {
  activityRow,
  clientRows,
  type ControlledDaemon,
  type DashboardChange,
  metricsTick,
  serverStatusRow,
} from '../../control/index.js';
import { messageOf } from '../../core/index.js';
import { ChangedTexts } from './changed-texts.js';
import { watchRuns } from './watch-runs.js';

type Publish = (change: DashboardChange) => void;

/** States of servers and clients have no events of their own: they are looked at this often. */
const LOOK_MS = 1_000;
const METRICS_MS = 5_000;
/** Capabilities change in bursts while they are learned. */
const SETTLE_MS = 200;

/** Publishes what happens in a daemon, until it is stopped. */
export function watchDaemon(daemon: ControlledDaemon, publish: Publish): () => void {
  const { tools, log } = daemon.workflows;
  const settle = new Settling(() => publish({ type: 'capability-changed' }), SETTLE_MS);
  const look = watchStates(daemon, publish);
  const looking = setInterval(() => {
    try {
      look();
    } catch (error) {
      log.warn('dashboard: states not read', { error: messageOf(error) });
    }
  }, LOOK_MS).unref();
  const counting = setInterval(
    () => publish({ type: 'metrics', metrics: metricsTick(daemon, Date.now()) }),
    METRICS_MS,
  ).unref();
  const undo = [
    tools.activity.onCall((call) =>
      publish({ type: 'call', call: activityRow(call, (text) => daemon.mask(text)) }),
    ),
    watchRuns(daemon.workflows, publish),
    tools.capabilities.onChange(() => settle.touch()),
    tools.onChange(() => publish({ type: 'tools-changed' })),
    () => settle.stop(),
    () => clearInterval(looking),
    () => clearInterval(counting),
  ];
  return () => {
    for (const stop of undo) stop();
  };
}

/** Compares servers and clients with what was last sent. */
function watchStates(daemon: ControlledDaemon, publish: Publish): () => void {
  const servers = new ChangedTexts();
  const clients = new ChangedTexts();
  const look = (tell: Publish) => {
    const rows = daemon.pool.all().map((server) => serverStatusRow(daemon, server));
    for (const server of rows) {
      if (servers.isNew(server.name, server)) tell({ type: 'server-changed', server });
    }
    for (const name of servers.keepOnly(rows.map((row) => row.name))) {
      tell({ type: 'server-removed', name });
    }
    const connected = clientRows(daemon.sessions);
    if (clients.isNew('all', connected)) tell({ type: 'client-changed', clients: connected });
  };
  // What is there when watching begins is in the snapshot.
  look(() => {});
  return () => look(publish);
}

/** Acts once after a burst. */
class Settling {
  readonly #act: () => void;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(act: () => void, ms: number) {
    this.#act = act;
    this.#ms = ms;
  }

  touch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, this.#ms).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
