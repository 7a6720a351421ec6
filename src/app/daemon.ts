import type { RemoteSignIns } from '../auth/index.js';
import type { ConfigOrigin, Environment } from '../config/find.js';
import { type LoadedConfig, profileFault } from '../config/load.js';
import { secretsOf } from '../config/secrets.js';
import { watchConfig } from '../config/watch.js';
import {
  type ControlledDaemon,
  createControl,
  maskControl,
  type OpenDashboard,
  type OpenHttp,
  type RejectedConfig,
  type SandboxProtections,
} from '../control/index.js';
import {
  type Logger,
  maskKnown,
  maskSecrets,
  type RunLog,
  type Sandbox,
  type ServerName,
} from '../core/index.js';
import { DaemonServer, socketPath } from '../daemon/index.js';
import type { Store } from '../store/index.js';
import { closeInOrder, closingLearning, closingWork } from './close-in-order.js';
import { type ConfigChange, ConfigChanges } from './config-changes.js';
import { DashboardDoor } from './dashboard-door.js';
import { createEngine, type Engine, gatewaySettings } from './engine.js';
import { HttpDoor } from './http-door.js';
import { type ConnectedStore, connectStore } from './open/connect-store.js';
import { lazySandbox } from './open/lazy-sandbox.js';
import { openHttpClients, type HttpClients } from './open/open-http-clients.js';
import { openRunJournal } from './open/open-run-journal.js';
import { openSandbox } from './open/open-sandbox.js';
import { openSignIns } from './open/open-sign-ins.js';
import { reindex, searchByMeaning } from './open/use-models.js';
import { examineJournal } from './probe/examine-journal.js';
import { probeSandbox } from './probe/probe-sandbox.js';
import { startServers } from './start-servers.js';
import { IdleExit } from './tend/idle-exit.js';
import { whenIdle } from './tend/retire.js';
import { tendDaemon } from './tend/tend-daemon.js';
import { StoreHealth } from './tend/watch-store.js';

export interface DaemonOptions {
  readonly config: LoadedConfig;
  readonly origin: ConfigOrigin;
  readonly env: Environment;
  readonly version: string;
  readonly build: string;
  readonly log: Logger;
  /** The configuration changed: its secrets must be known to the log before it is used. */
  readonly onConfig: (config: LoadedConfig) => void;
  /** Everything is loaded that the first lists need, and the store. */
  readonly onLoaded: () => void;
  /** Asked for by a command, by idleness, or by a newer version. */
  readonly onStop: (reason: string) => void;
}

/** The daemon of one data directory: the engine, its store and its doors, from start to end. */
export class Daemon implements ControlledDaemon, AsyncDisposable {
  readonly storeHealth = new StoreHealth(() => new Date());
  readonly signIns: RemoteSignIns;
  readonly httpClients: HttpClients;
  readonly #options: DaemonOptions;
  readonly #log: Logger;
  readonly #changes: ConfigChanges;
  readonly #connecting: Promise<ConnectedStore>;
  readonly #listsKnown: Promise<void>;
  readonly #runLog: Promise<RunLog>;
  readonly #journalProblems: Promise<readonly string[]>;
  readonly #sandbox: Sandbox;
  readonly #engine: Engine;
  readonly #http: HttpDoor;
  readonly #dashboard: DashboardDoor;
  readonly #idle: IdleExit;
  readonly #socket: DaemonServer;
  #secrets: readonly string[];
  #modelOpening: Promise<void> = Promise.resolve();
  #watch: AsyncDisposable | undefined;
  #stopTending: () => void = () => {};

  constructor(options: DaemonOptions) {
    const { config, log, onLoaded } = options;
    this.#options = options;
    this.#log = log;
    this.#secrets = secretsOf(config);
    this.#changes = this.#followConfig();
    this.httpClients = openHttpClients(() => this.config);
    this.#http = this.#createHttpDoor();
    this.#dashboard = new DashboardDoor(this, { log, onChange: () => this.#idle.touch() });
    let hasEngine: (engine: Engine) => void = () => {};
    const created = new Promise<Engine>((resolve) => (hasEngine = resolve));
    let onKnown = () => {};
    this.#listsKnown = new Promise<void>((resolve) => (onKnown = resolve));
    this.#connecting = created.then((engine) =>
      connectStore(engine, { config, health: this.storeHealth, onKnown, onLoaded, log }),
    );
    this.#runLog = openRunJournal(
      config,
      this.#connecting.then(({ store }) => store),
      log,
    );
    this.#journalProblems = examineJournal(config, {
      runLog: this.#runLog,
      store: this.#connecting.then(({ store }) => store),
      log,
    });
    this.#sandbox = lazySandbox(() => openSandbox(config, log));
    this.signIns = openSignIns(config, {
      env: options.env,
      connecting: this.#connecting,
      log,
      onSignedIn: (server) => this.#onSignedIn(server),
    });
    this.#engine = this.#createEngine();
    hasEngine(this.#engine);
    this.#idle = this.#createIdleExit();
    this.#socket = this.#createSocket();
  }

  async start(): Promise<void> {
    // Before the first client: an unread list of tokens would refuse all of them.
    await this.httpClients.tokens.load();
    await this.#socket.listen();
    await this.#engine.pool.configure(this.config.servers);
    this.#watch = this.#watchConfig();
    this.#idle.touch();
    void this.#dashboard.reopen();
    this.#modelOpening = this.#connecting.then(({ store }) => {
      const options = { config: () => this.config, store, log: this.#log };
      this.#stopTending = tendDaemon(this.#engine, { ...options, signIns: this.signIns });
      return searchByMeaning(this.discovery, options);
    });
    void this.#listsKnown.then(() => startServers(this.#engine, this.config));
    this.#log.info('daemon ready', { pid: process.pid, version: this.version });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Before anything is waited for: a client that came in now would be dropped in its first call.
    this.#socket.stopAccepting();
    this.#idle.cancel();
    // A store that could not be opened was reported when it was opened.
    const connected = () => this.#connecting.catch(() => undefined);
    await closeInOrder(this.#log, [
      // What is being learned can be learned again.
      () => this.#engine.training[Symbol.asyncDispose](),
      () => this.#watch?.[Symbol.asyncDispose](),
      () => this.closeHttp(),
      () => this.#dashboard.close(),
      () => this.signIns[Symbol.asyncDispose](),
      () => this.#stopTending(),
      () => this.#socket[Symbol.asyncDispose](),
      ...closingWork(this.#engine, this.#sandbox),
      async () => (await connected())?.disconnect(),
      ...closingLearning(this.#engine),
      () => this.#closeRunLog(),
      async () => (await connected())?.store?.[Symbol.asyncDispose](),
    ]);
    this.#log.info('daemon ended');
  }

  get config(): LoadedConfig {
    return this.#changes.current;
  }

  get rejectedConfig(): RejectedConfig | undefined {
    return this.#changes.rejected;
  }

  get version(): string {
    return this.#options.version;
  }

  get build(): string {
    return this.#options.build;
  }

  get catalog(): Engine['catalog'] {
    return this.#engine.catalog;
  }

  get pool(): Engine['pool'] {
    return this.#engine.pool;
  }

  get discovery(): Engine['discovery'] {
    return this.#engine.discovery;
  }

  get graph(): Engine['graph'] {
    return this.#engine.graph;
  }

  get workflows(): Engine['workflows'] {
    return this.#engine.workflows;
  }

  get speculation(): Engine['speculation'] {
    return this.#engine.speculation;
  }

  get sessions(): Engine['sessions'] {
    return this.#engine.sessions;
  }

  get httpUrl(): string | undefined {
    return this.#http.url;
  }

  get isHttpOpenToAll(): boolean {
    return this.#http.isOpenToAll;
  }

  get clientCount(): number {
    return this.#socket.clientCount + this.#http.sessionCount;
  }

  openHttp(port: number | undefined): Promise<OpenHttp> {
    return this.#http.open(port);
  }

  closeHttp(): Promise<void> {
    return this.#http.close();
  }

  get dashboardAddress(): string | undefined {
    return this.#dashboard.address;
  }

  openDashboard(): Promise<OpenDashboard> {
    return this.#dashboard.open();
  }

  sandboxProtections(): Promise<SandboxProtections> {
    return probeSandbox();
  }

  /** What is wrong with the journal of runs, in words. */
  journalProblems(): Promise<readonly string[]> {
    return this.#journalProblems;
  }

  async store(): Promise<{ store: Store | undefined; error: string | undefined }> {
    const { store, error } = await this.#connecting;
    return { store, error };
  }

  async reindex({ forget }: { forget: boolean }): Promise<void> {
    const { store } = await this.#connecting;
    await this.#modelOpening;
    await reindex(this.discovery, {
      config: () => this.config,
      store,
      log: this.#log,
      forget,
    });
  }

  stop(reason: string): void {
    this.#options.onStop(reason);
  }

  /** Hides the secrets of the configuration, and what has the form of one. */
  mask(text: string): string {
    return maskSecrets(text, this.#known);
  }

  /** Of the configuration, the token made for HTTP, and the tokens of remote servers. */
  get #known(): readonly string[] {
    const token = this.#http.token;
    return [...this.#secrets, ...this.signIns.secrets, ...(token ? [token] : [])];
  }

  /** The server lists its tools now, and runs that waited for the sign-in resume. */
  #onSignedIn(server: ServerName): void {
    const { pool, workflows } = this.#engine;
    void pool.signedIn(server);
    for (const live of workflows.runs.live()) live.signedIn(server);
  }

  #followConfig(): ConfigChanges {
    const { config, origin, env, onConfig } = this.#options;
    return new ConfigChanges({
      first: config,
      origin,
      env,
      log: this.#log,
      mask: (text) => this.mask(text),
      adopt: (next) => {
        onConfig(next);
        this.#secrets = secretsOf(next);
      },
      apply: (next, change) => this.#apply(next, change),
    });
  }

  async #closeRunLog(): Promise<void> {
    // The failure to open it was reported at that time.
    const log = await this.#runLog.catch(() => undefined);
    await log?.[Symbol.asyncDispose]();
  }

  #createEngine(): Engine {
    const { config, version, env, log } = this.#options;
    return createEngine({
      config,
      version,
      env,
      log,
      stored: this.#connecting.then(() => {}),
      known: this.#listsKnown,
      runLog: this.#runLog,
      sandbox: this.#sandbox,
      signIns: this.signIns,
      accessOf: (principal) => this.httpClients.accessOf(principal),
      mask: (text) => this.mask(text),
      maskKnown: (text) => maskKnown(text, this.#known),
    });
  }

  #createHttpDoor(): HttpDoor {
    return new HttpDoor({
      config: () => this.config,
      sessions: () => this.sessions,
      names: this.httpClients.names,
      log: this.#log,
      onChange: () => this.#idle.touch(),
    });
  }

  #createIdleExit(): IdleExit {
    return new IdleExit({
      idleMs: this.config.file.limits.daemonIdleMs,
      isBusy: () =>
        this.#socket.clientCount > 0 ||
        this.#http.isOpen ||
        this.#dashboard.readerCount > 0 ||
        this.workflows.runs.activeCount > 0,
      onIdle: () => this.#options.onStop('idle'),
    });
  }

  #createSocket(): DaemonServer {
    const { dataDir, path, file } = this.config;
    return new DaemonServer({
      path: socketPath(dataDir),
      version: this.version,
      build: this.build,
      config: path,
      maxMessageBytes: file.limits.messageBytes,
      sessions: this.sessions,
      refuseProfile: (name) => profileFault(this.config, name),
      control: maskControl(createControl(this, this.#log), (text) => this.mask(text)),
      onOutdated: (newer) => this.#retire(newer),
      onClientsChanged: () => this.#idle.touch(),
      log: this.#log,
    });
  }

  #watchConfig(): AsyncDisposable {
    const { path, hash } = this.config;
    return watchConfig(path, (next) => this.#changes.take(next), {
      logger: this.#log,
      env: this.#options.env,
      since: hash,
      onInvalid: (error) => this.#changes.reject(error),
      onUsed: (used) => this.#changes.used(used),
    });
  }

  async #apply(next: LoadedConfig, { isOtherModel }: ConfigChange): Promise<void> {
    const { catalog, pool, tools, discovery } = this.#engine;
    await this.#http.renewToken(next);
    await this.#dashboard.configure(next);
    if (isOtherModel) {
      await searchByMeaning(discovery, {
        config: () => this.config,
        store: undefined,
        log: this.#log,
      });
    }
    catalog.setPolicy({ onChange: next.file.definitionChanges, newTools: next.file.newTools });
    catalog.setOverrides(next.overrides);
    // New rules count at once, however long the servers that leave take to end.
    const configuring = pool.configure(next.servers);
    tools.configure(gatewaySettings(next, this.version));
    await configuring;
    void startServers(this.#engine, next);
  }

  #retire(newer: string): void {
    this.#log.info('a newer version came; ending when nothing runs', { newer });
    const isBusy = () =>
      this.workflows.runs.activeCount + this.#socket.openRequests + this.#http.openRequests > 0;
    whenIdle(isBusy, () => this.stop('replaced by a newer version'));
  }
}
