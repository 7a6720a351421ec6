import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { LoadedConfig } from '../config/load.js';
import {
  type ControlledDaemon,
  createControl,
  maskControl,
  type OpenDashboard,
} from '../control/index.js';
import { type Logger, messageOf, PmlError } from '../core/index.js';
import type { DashboardServer, EventHub, KeptSession, SignIns } from '../dashboard/index.js';
import { keptDashboard, readKeptDashboard } from './open/kept-dashboard.js';

/** Built by scripts/build.mjs, beside the compiled sources. */
const WEB = fileURLToPath(new URL('../web/', import.meta.url));

interface DashboardDoorOptions {
  readonly log: Logger;
  /** It was opened or closed, or browsers came or went. */
  readonly onChange: () => void;
}

interface OpenDoor {
  readonly server: DashboardServer;
  readonly signIns: SignIns;
  readonly hub: EventHub;
}

/**
 * The dashboard: opened by `pml ui`, and by itself for browsers that signed in to an earlier daemon,
 * at the address they know.
 */
export class DashboardDoor {
  readonly #daemon: ControlledDaemon;
  readonly #options: DashboardDoorOptions;
  #open: OpenDoor | undefined;
  #opening: Promise<OpenDoor> | undefined;
  #isClosed = false;

  constructor(daemon: ControlledDaemon, options: DashboardDoorOptions) {
    this.#daemon = daemon;
    this.#options = options;
  }

  get address(): string | undefined {
    return this.#open?.server.address;
  }

  /** Browsers that have the dashboard open. */
  get readerCount(): number {
    return this.#open?.hub.readerCount ?? 0;
  }

  /** An address that signs one browser in. */
  async open(): Promise<OpenDashboard> {
    const { server, signIns } = await this.#opened();
    const { token, expiresAt } = signIns.issueToken();
    return {
      url: `${server.address}sign-in?token=${token}`,
      address: server.address,
      expiresAt: new Date(expiresAt).toISOString(),
    };
  }

  /** Serves browsers of before; does nothing if there are none. */
  async reopen(): Promise<void> {
    const { log } = this.#options;
    try {
      const kept = await this.#kept();
      if (this.#isOn && kept.sessions.length > 0) await this.#opened();
    } catch (error) {
      log.warn('dashboard not served', { error: messageOf(error) });
    }
  }

  /** The configuration changed. */
  async configure({ file }: LoadedConfig): Promise<void> {
    if (file.dashboard === false) await this.#shut();
    else await this.reopen();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#shut();
  }

  get #isOn(): boolean {
    return this.#daemon.config.file.dashboard !== false && !this.#isClosed;
  }

  async #shut(): Promise<void> {
    await this.#opening?.catch(() => {}); // The caller that opened it gets the error.
    const open = this.#open;
    this.#open = undefined;
    await open?.server[Symbol.asyncDispose]();
    this.#options.onChange();
  }

  async #opened(): Promise<OpenDoor> {
    if (!this.#isOn) {
      throw new PmlError(
        'CONFIG_INVALID',
        'The dashboard is off: "dashboard" is false in the configuration',
      );
    }
    if (this.#open) return this.#open;
    this.#opening ??= this.#listen().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #kept() {
    const { log } = this.#options;
    return readKeptDashboard(keptDashboard(this.#daemon.config.dataDir), { now: Date.now(), log });
  }

  async #listen(): Promise<OpenDoor> {
    const { log, onChange } = this.#options;
    const daemon = this.#daemon;
    const { dataDir, file } = daemon.config;
    const ask = maskControl(createControl(daemon, log), (text) => daemon.mask(text));
    const kept = await this.#kept();
    // Most daemons never serve it.
    const room = await import('../dashboard/index.js');
    const keeper = keptDashboard(dataDir);
    const save = (sessions: readonly KeptSession[]) => {
      keeper
        .write({ port: server.port, sessions: sessions.map((session) => ({ ...session })) })
        .catch((error: unknown) =>
          log.warn('sessions of the dashboard not kept', { error: messageOf(error) }),
        );
    };
    const signInsOf = (sessions: readonly KeptSession[]) =>
      new room.SignIns({ sessions, save, now: () => Date.now() });
    let signIns = signInsOf(kept.sessions);
    const hub = new room.EventHub({
      snapshot: () => room.takeSnapshot(daemon),
      watch: (publish) => room.watchDaemon(daemon, publish),
      onReaders: onChange,
      log,
    });
    const parts = { name: cookieName(dataDir), files: room.loadWebFiles(WEB), hub, ask };
    const create = (port: number) => new room.DashboardServer({ ...parts, signIns, port, log });
    const wanted = typeof file.dashboard === 'object' ? file.dashboard.port : undefined;
    let server = create(wanted ?? kept.port);
    try {
      await server.listen();
    } catch (error) {
      // The port that the system chose last time is taken now; one that the user chose must be free.
      if (wanted !== undefined || kept.port === 0) throw error;
      // Browsers may have sent their cookies to whatever listens there now: they are worth nothing here.
      signIns = signInsOf([]);
      server = create(0);
      await server.listen();
    }
    this.#open = { server, signIns, hub };
    log.info('serving the dashboard', { address: server.address });
    onChange();
    return this.#open;
  }
}

/** Browsers send the cookies of one port to all others of this machine. */
function cookieName(dataDir: string): string {
  return `pml_${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
}
