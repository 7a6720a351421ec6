import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { Capabilities } from '../capabilities/index.js';
import { Catalog, DefinitionPins, type PinPolicy } from '../catalog/index.js';
import { diffConfigs } from '../config/diff.js';
import type { ConfigOrigin, Environment } from '../config/find.js';
import type { LoadedConfig } from '../config/load.js';
import { secretsOf } from '../config/secrets.js';
import { isTrusted } from '../config/trust.js';
import { watchConfig } from '../config/watch.js';
import {
  type ControlledDaemon,
  createControl,
  type OpenHttp,
  type RejectedConfig,
  type SandboxProtections,
  maskControl,
} from '../control/index.js';
import {
  type JsonObject,
  type Logger,
  maskKnown,
  maskSecrets,
  messageOf,
  PmlError,
  type RunLog,
  type Sandbox,
  type ServerName,
  type ServerSpec,
  type ToolDefinition,
} from '../core/index.js';
import { DaemonServer, socketPath } from '../daemon/index.js';
import { Discovery } from '../discovery/index.js';
import type { HttpServer } from '../gateway/http/http.js';
import { Gateway, isLoopback } from '../gateway/index.js';
import { graphOf, LiveGraph } from '../graph/index.js';
import { collectGarbage } from '../process/index.js';
import { type FileCapabilityStore, keptCapabilities, keptModels } from '../safekeeping/index.js';
import { type PoolEvents, readHeaderParams, ServerPool } from '../servers/index.js';
import type { Store } from '../store/index.js';
import type { GatewaySettings } from '../tools/index.js';
import { createRuns } from '../workflows/index.js';
import { learnedFile, openKeptCapabilities, pinFile } from './open/data-files.js';
import { type HttpToken, httpToken } from './open/http-token.js';
import { lazySandbox } from './open/lazy-sandbox.js';
import { openRunLog } from './open/open-run-log.js';
import { openSandbox } from './open/open-sandbox.js';
import { findJournalProblems } from './probe/journal-problems.js';
import { probeSandbox } from './probe/probe-sandbox.js';
import { followCapabilities } from './tend/follow-capabilities.js';
import { followOthers } from './tend/follow-others.js';
import { IdleExit } from './tend/idle-exit.js';
import { lookAtProcess, tendMemory } from './tend/tend-memory.js';
import { tendResults } from './tend/tend-results.js';
import { tendRuns } from './tend/tend-runs.js';
import { DailyVerifier } from './tend/verify-daily.js';
import { StoreHealth, watchStore } from './tend/watch-store.js';

/** What a server speaks may change with an update; it is asked again after this time. */
const PROBE_AGAIN_MS = 7 * 24 * 3_600_000;

export interface DaemonOptions {
  readonly config: LoadedConfig;
  readonly origin: ConfigOrigin;
  readonly env: Environment;
  readonly version: string;
  readonly build: string;
  readonly log: Logger;
  /** The configuration changed: its secrets must be known to the log before it is used. */
  readonly onConfig: (config: LoadedConfig) => void;
  /** Asked for by a command, by idleness, or by a newer version. */
  readonly onStop: (reason: string) => void;
}

/**
 * The daemon: catalog, servers, gateway and store of one data directory, joined. Nothing here waits
 * for the store or for a server; both come in when they are ready.
 */
export class Daemon implements ControlledDaemon, AsyncDisposable {
  readonly #options: DaemonOptions;
  readonly #log: Logger;
  readonly #catalog: Catalog;
  readonly #pool: ServerPool;
  readonly #discovery: Discovery;
  readonly #graph: LiveGraph;
  #others: readonly AsyncDisposable[] = [];
  readonly #gateway: Gateway;
  readonly #socket: DaemonServer;
  readonly #storeOpening: Promise<Store | undefined>;
  readonly #runLogOpening: Promise<RunLog>;
  readonly #journalProblems: Promise<readonly string[]>;
  #keptCapabilities: FileCapabilityStore | undefined;
  readonly #sandbox: Sandbox;
  readonly #capabilities: Capabilities;
  readonly #idle: IdleExit;
  readonly storeHealth = new StoreHealth(() => new Date());
  #config: LoadedConfig;
  #secrets: readonly string[];
  #modelOpening: Promise<void> = Promise.resolve();
  #storeError: string | undefined;
  #rejectedConfig: RejectedConfig | undefined;
  /** `host` is where it listens, whatever the configuration says by now. */
  #http: { server: HttpServer; url: string; host: string; token: HttpToken } | undefined;
  #httpOpening: Promise<OpenHttp> | undefined;
  #watch: AsyncDisposable | undefined;
  #stopTending: () => void = () => {};
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: DaemonOptions) {
    const { config, log, version, env } = options;
    this.#options = options;
    this.#config = config;
    this.#secrets = secretsOf(config);
    this.#log = log;
    this.#catalog = new Catalog({
      onDefinitionChange: config.file.definitionChanges,
      newTools: config.file.newTools,
      pins: new DefinitionPins({ file: pinFile(config.dataDir), log }),
      log,
      now: () => new Date(),
    });
    this.#pool = new ServerPool(
      {
        dataDir: config.dataDir,
        environment: env,
        clientInfo: { name: 'pml', version },
        limits: config.file.limits,
        log,
        now: () => performance.now(),
        knownEras: (name) => this.#knownEras(name),
      },
      {
        // Never before the stored catalog is in: a changed definition is seen only against it.
        listed: (...listed) => this.#storeOpening.then(() => this.#refreshCatalog(...listed)),
        notified: (...notification) => this.#gateway.onServerNotification(...notification),
      },
    );
    this.#discovery = new Discovery({
      log,
      now: () => new Date(),
      newId: () => randomUUID(),
      onRemembered: (traces) => this.#gateway.remember(traces),
      graphOf,
      onAdded: (traces) => this.#graph.add(traces),
      isModelComing: true,
      mask: (text) => this.mask(text),
    });
    this.#capabilities = new Capabilities({
      log,
      now: () => new Date(),
      mask: (text) => maskKnown(text, this.#known),
    });
    this.#graph = new LiveGraph({ log, capabilities: () => this.#capabilities.list() });
    this.#capabilities.onChange(() => this.#graph.capabilitiesChanged());
    this.#storeOpening = this.#openStore();
    this.#runLogOpening = openRunLog(config, this.#storeOpening, log);
    this.#runLogOpening.catch((error: unknown) =>
      log.error('no journal: workflows that change something are refused', {
        error: messageOf(error),
      }),
    );
    this.#journalProblems = findJournalProblems({
      log: this.#runLogOpening,
      // A database that several daemons share holds their runs as well.
      store: config.file.database === 'embedded' ? this.#storeOpening : undefined,
      keepDays: config.file.workflows.keepDays,
      now: () => Date.now(),
      logger: log,
    });
    this.#sandbox = lazySandbox(() => openSandbox(config, log));
    this.#gateway = new Gateway(gatewaySettings(config, version), {
      catalog: this.#catalog,
      pool: this.#pool,
      log,
      keptResultBytes: config.file.limits.keptResultBytes,
      discovery: this.#discovery,
      capabilities: this.#capabilities,
      graph: this.#graph.graph,
      runs: (gateway) =>
        createRuns(gateway, {
          log: this.#runLogOpening,
          sandbox: this.#sandbox,
          mask: (text) => this.mask(text),
        }),
      catalogLoaded: this.#storeOpening.then(() => {}),
      mask: (text) => this.mask(text),
      maskKnown: (text) => maskKnown(text, this.#known),
    });
    this.#idle = new IdleExit({
      idleMs: config.file.limits.daemonIdleMs,
      isBusy: () =>
        this.#socket.clientCount > 0 ||
        this.#http !== undefined ||
        this.#gateway.runs.activeCount > 0,
      onIdle: () => options.onStop('idle'),
    });
    this.#socket = new DaemonServer({
      path: socketPath(config.dataDir),
      version,
      build: options.build,
      config: config.path,
      maxMessageBytes: config.file.limits.messageBytes,
      gateway: this.#gateway,
      control: maskControl(createControl(this, log), (text) => this.mask(text)),
      onOutdated: (newer) => this.#retire(newer),
      onClientsChanged: () => this.#idle.touch(),
      log,
    });
  }

  async start(): Promise<void> {
    await this.#socket.listen();
    await this.#pool.configure(this.#config.servers);
    const { path, hash } = this.#config;
    this.#watch = watchConfig(path, (next) => this.#reload(next), {
      logger: this.#log,
      env: this.#options.env,
      since: hash,
      onInvalid: (error) => this.#reject(error),
      onUsed: (used) => {
        if (used === this.#config.hash) this.#rejectedConfig = undefined;
      },
    });
    this.#idle.touch();
    this.#modelOpening = this.#storeOpening.then((store) => {
      const stopRuns = tendRuns(this.#gateway, {
        policy: () => this.#config.file.workflows,
        isShared: store?.runLog !== undefined,
        log: this.#log,
      });
      const stopResults = tendResults(this.#gateway, this.#log);
      const stopVerifying = new DailyVerifier(this.#gateway, {
        isWanted: () => this.#config.file.capabilities.verifyDaily,
        log: this.#log,
        now: () => Date.now(),
      }).start();
      const stopMemory = tendMemory({
        look: lookAtProcess,
        tidy: () => this.#tidy(),
        collect: collectGarbage,
        log: this.#log,
      });
      const all = [stopRuns, stopResults, stopVerifying, stopMemory];
      this.#stopTending = () => all.forEach((stop) => stop());
      void this.#warmUp();
      return this.#searchByMeaning(store);
    });
    this.#log.info('daemon ready', { pid: process.pid, version: this.#options.version });
  }

  get config(): LoadedConfig {
    return this.#config;
  }

  /** What is wrong with the journal of runs, in words. */
  journalProblems(): Promise<readonly string[]> {
    return this.#journalProblems;
  }

  sandboxProtections(): Promise<SandboxProtections> {
    return probeSandbox();
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  get pool(): ServerPool {
    return this.#pool;
  }

  get discovery(): Discovery {
    return this.#discovery;
  }

  /** Hides the secrets of the configuration, and what has the form of one. */
  mask(text: string): string {
    return maskSecrets(text, this.#known);
  }

  /** Of the configuration, and the token made for HTTP. */
  get #known(): readonly string[] {
    const token = this.#http?.token.token;
    return token ? [...this.#secrets, token] : this.#secrets;
  }

  get graph(): LiveGraph {
    return this.#graph;
  }

  get gateway(): Gateway {
    return this.#gateway;
  }

  get version(): string {
    return this.#options.version;
  }

  get build(): string {
    return this.#options.build;
  }

  get rejectedConfig(): RejectedConfig | undefined {
    return this.#rejectedConfig;
  }

  get httpUrl(): string | undefined {
    return this.#http?.url;
  }

  get clientCount(): number {
    return this.#socket.clientCount + (this.#http?.server.sessionCount ?? 0);
  }

  async store(): Promise<{ store: Store | undefined; error: string | undefined }> {
    const store = await this.#storeOpening;
    return { store, error: this.#storeError };
  }

  stop(reason: string): void {
    this.#options.onStop(reason);
  }

  get isHttpOpenToAll(): boolean {
    return this.#http?.token.kind === 'none';
  }

  async openHttp(port: number | undefined): Promise<OpenHttp> {
    if (this.#http) return describeHttp(this.#http, false);
    this.#httpOpening ??= this.#openHttp(port).finally(() => (this.#httpOpening = undefined));
    return this.#httpOpening;
  }

  async #openHttp(port: number | undefined): Promise<OpenHttp> {
    const { http, limits } = this.#config.file;
    const token = await httpToken(http.token, this.#config.dataDir);
    // With the SDK behind it this is most of what there is to load; stdio clients never need it.
    const { HttpServer } = await import('../gateway/http/http.js');
    const server = new HttpServer(this.#gateway, {
      host: http.host,
      port: port ?? http.port,
      token: () => (this.#http?.token ?? token).token,
      allowedHosts: http.allowedHosts,
      limits,
      log: this.#log,
    });
    const url = await server.listen();
    this.#http = { server, url, host: http.host, token };
    this.#idle.touch();
    this.#log.info('serving HTTP', { url, access: token.kind });
    return describeHttp(this.#http, token.kind === 'file' && token.isNew);
  }

  async closeHttp(): Promise<void> {
    const open = this.#http;
    this.#http = undefined;
    await open?.server[Symbol.asyncDispose]();
    this.#idle.touch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#idle.cancel();
    await this.#watch?.[Symbol.asyncDispose]();
    await this.closeHttp();
    this.#stopTending();
    await this.#socket[Symbol.asyncDispose]();
    await this.#gateway.runs[Symbol.asyncDispose]();
    await this.#sandbox[Symbol.asyncDispose]();
    await this.#gateway.suggester[Symbol.asyncDispose]();
    await this.#gateway.planning.settled();
    await this.#gateway.kept.settled();
    await this.#capabilities.settled();
    await this.#keptCapabilities?.[Symbol.asyncDispose]();
    for (const following of this.#others) await following[Symbol.asyncDispose]();
    await this.#graph.stop();
    await this.#discovery[Symbol.asyncDispose]();
    await this.#pool.close(new PmlError('DAEMON_UNREACHABLE', 'the daemon stops'));
    await this.#catalog.settled();
    await this.#closeRunLog();
    const store = await this.#storeOpening;
    await store?.[Symbol.asyncDispose]();
    this.#log.info('daemon ended');
  }

  async #closeRunLog(): Promise<void> {
    // That it could not be opened was told then.
    const log = await this.#runLogOpening.catch(() => undefined);
    await log?.[Symbol.asyncDispose]();
  }

  /** Gives back what was needed for the work of before. */
  async #tidy(): Promise<void> {
    const store = await this.#storeOpening;
    await store?.tidy();
    await collectGarbage();
  }

  async #openStore(): Promise<Store | undefined> {
    await this.#catalog.pins.load();
    const kept = await this.#openKept();
    let hasCapabilities = false;
    try {
      const { openStore } = await import('./open/open-store.js');
      const store = watchStore(await openStore(this.#config, this.#log), this.storeHealth);
      await this.#catalog.attach(store.catalog);
      const isShared = store.runLog !== undefined;
      const known = isShared ? await store.experience.count() : 0;
      await this.#discovery.attach({
        ...store,
        ranking: isShared ? store.ranking : this.#keptModels(store),
        experience: this.#graph.guard(store.experience),
      });
      await this.#gateway.planning.attach(store.outputs);
      const { capabilities } = store;
      await this.#capabilities.attach(
        kept ? keptCapabilities({ file: kept, store: capabilities, log: this.#log }) : capabilities,
      );
      hasCapabilities = true;
      // Not waited for: a big one takes its time, an old store's has to be made first.
      void this.#graph.attach(store.graph);
      if (isShared) this.#followOthers(store, known);
      this.#gateway.kept.attach(store.results);
      return store;
    } catch (error) {
      this.#storeError = messageOf(error);
      this.#log.error('store not available; working from memory', { error: this.#storeError });
      if (kept && !hasCapabilities) await this.#capabilities.attach(kept);
      return undefined;
    }
  }

  #followOthers(store: Store, known: number): void {
    const { sharedCapabilities: shared } = store;
    const log = this.#log;
    const executions = followOthers({
      live: this.#graph,
      store,
      known,
      remember: (traces) => this.#discovery.remember(traces),
      log,
    });
    const capabilities = this.#capabilities;
    this.#others = [
      executions,
      ...(shared ? [followCapabilities({ capabilities, store: shared, log })] : []),
    ];
  }

  /** The file of capabilities, where the store is ours and could be lost. */
  async #openKept(): Promise<FileCapabilityStore | undefined> {
    const { dataDir, file } = this.#config;
    if (file.database !== 'embedded') return undefined;
    try {
      this.#keptCapabilities = await openKeptCapabilities(dataDir, this.#log);
    } catch (error) {
      this.#log.error('capabilities are kept in the store alone', { error: messageOf(error) });
    }
    return this.#keptCapabilities;
  }

  #keptModels({ ranking }: Store): Store['ranking'] {
    return keptModels({ file: learnedFile(this.#config.dataDir), ranking, log: this.#log });
  }

  /** The model of before serves until the one opened now has caught up. */
  async reindex({ forget }: { forget: boolean }): Promise<void> {
    const store = await this.#storeOpening;
    await this.#modelOpening;
    const { openEmbedders } = await import('./open/open-embedders.js');
    const opened = await openEmbedders(this.#config, { store: undefined, log: this.#log });
    const [embedder] = opened.embedders;
    if (!embedder) throw new PmlError('EMBEDDING_FAILED', opened.error ?? 'There is no model');
    try {
      await embedder.warmUp();
      if (forget) await store?.embeddings.removeSpace(embedder.space.id);
    } catch (error) {
      await embedder[Symbol.asyncDispose]();
      throw error;
    }
    await this.#discovery.use(embedder);
  }

  /** After a change of the model, the one before serves until the new one has caught up. */
  async #searchByMeaning(store: Store | undefined): Promise<void> {
    const { openEmbedders } = await import('./open/open-embedders.js');
    const { embedders, error } = await openEmbedders(this.#config, { store, log: this.#log });
    if (embedders.length === 0) await this.#discovery.useWordsOnly(error);
    for (const embedder of embedders) await this.#discovery.use(embedder);
  }

  #knownEras(name: ServerName) {
    const known = this.#catalog.server(name);
    const isFresh = known && Date.now() - known.probedAt.getTime() < PROBE_AGAIN_MS;
    return isFresh ? known.eras : undefined;
  }

  /** Servers we have no lists of, and those the user wants up, are started in the background. */
  async #warmUp(): Promise<void> {
    for (const { name } of this.#catalog.servers()) {
      if (!this.#isConfigured(name)) this.#catalog.forget(name);
    }
    const wanted = [...this.#config.servers.values()].filter(
      (spec) => spec.start === 'background' || !this.#isListed(spec),
    );
    await this.#pool.warmUp(wanted.map(({ name }) => name));
  }

  #isConfigured(name: ServerName): boolean {
    const { servers, broken, disabled } = this.#config;
    return servers.has(name) || broken.has(name) || disabled.includes(name);
  }

  #isListed({ name, configHash }: ServerSpec): boolean {
    return this.#catalog.server(name)?.configHash === configHash;
  }

  /** One after the other: a slow change must not undo the one that came after it. */
  #reload(next: LoadedConfig): void {
    const before = this.#reloading;
    this.#reloading = (async () => {
      await before;
      await this.#reconfigure(next);
    })().catch((error: unknown) => {
      this.#log.error('configuration not applied', { error: messageOf(error) });
      this.#reject(error instanceof PmlError ? error : notApplied(error));
    });
  }

  /** The configuration of before stays; `pml status` says so. */
  #reject({ code, message }: PmlError): void {
    this.#rejectedConfig = { code, message: this.mask(message), at: new Date().toISOString() };
  }

  async #reconfigure(next: LoadedConfig): Promise<void> {
    const { origin, env, onConfig, version } = this.#options;
    if (!isTrusted(next, { origin, env })) {
      this.#log.warn('changed configuration is not trusted and not used; run pml trust', {
        path: next.path,
      });
      this.#reject(
        new PmlError(
          'CONFIG_UNTRUSTED',
          `${next.path} changed and is not trusted. Read it, then run pml trust --yes and pml restart`,
        ),
      );
      return;
    }
    const changes = diffConfigs(this.#config, next);
    onConfig(next);
    if (
      next.dataDir !== this.#config.dataDir ||
      next.file.database !== this.#config.file.database
    ) {
      this.#log.warn('dataDir and database take effect after pml restart');
    }
    const isOtherModel = !isDeepStrictEqual(next.file.embedding, this.#config.file.embedding);
    this.#config = next;
    this.#rejectedConfig = undefined;
    this.#secrets = secretsOf(next);
    this.#log.info('configuration changed', { changes });
    await this.#renewToken(next);
    if (isOtherModel) await this.#searchByMeaning(undefined);
    this.#catalog.setPolicy(pinPolicy(next));
    // New rules count at once, however long the servers that leave take to end.
    const configuring = this.#pool.configure(next.servers);
    this.#gateway.configure(gatewaySettings(next, version));
    await configuring;
    void this.#warmUp();
  }

  /** A token that is no longer configured lets nobody in any more. */
  async #renewToken({ file: { http }, dataDir }: LoadedConfig): Promise<void> {
    if (!this.#http) return;
    const token = await httpToken(http.token, dataDir);
    const { host } = this.#http;
    if (token.kind !== 'none' || isLoopback(host)) this.#http = { ...this.#http, token };
    else this.#log.warn('http.token cannot be false for this host; the token stays as it was');
  }

  #refreshCatalog(...[spec, listing, greeting, eras]: Parameters<PoolEvents['listed']>): void {
    const { tools, ...lists } = listing;
    const { capabilities, serverInfo, instructions } = greeting;
    this.#catalog.refresh({
      server: spec.name,
      configHash: spec.configHash,
      listing: { capabilities, serverInfo, ...lists, ...(instructions && { instructions }) },
      rawTools: tools,
      eras,
      wasProbed: greeting.eras !== undefined,
      // Only that revision, over HTTP, knows headers for parameters, and wants wrong ones refused.
      ...(spec.kind === 'http' && eras.includes('modern') && { faultOf: headerFault }),
    });
  }

  #retire(newer: string): void {
    this.#log.info('a newer version came; ending when nothing runs', { newer });
    const timer = setInterval(() => {
      if (this.#gateway.runs.activeCount > 0) return;
      if (this.#socket.openRequests + (this.#http?.server.openRequests ?? 0) > 0) return;
      clearInterval(timer);
      this.stop('replaced by a newer version');
    }, 50);
  }
}

/** The token itself stays out of it: the file has it, or the configuration. */
function describeHttp(
  { url, token }: { readonly url: string; readonly token: HttpToken },
  isNewToken: boolean,
): OpenHttp {
  const tokenFile = token.kind === 'file' ? { tokenFile: token.path } : {};
  return { url, access: token.kind, ...tokenFile, ...(isNewToken && { isNewToken }) };
}

function headerFault({ inputSchema }: ToolDefinition): string | undefined {
  const read = readHeaderParams(inputSchema as JsonObject);
  return read.ok ? undefined : read.fault;
}

function pinPolicy({ file }: LoadedConfig): PinPolicy {
  return { onChange: file.definitionChanges, newTools: file.newTools };
}

function notApplied(error: unknown): PmlError {
  return new PmlError('CONFIG_INVALID', `not applied: ${messageOf(error)}`, { cause: error });
}

function gatewaySettings(config: LoadedConfig, version: string): GatewaySettings {
  const { exposure, permissions, limits, workflows, code, context } = config.file;
  return {
    version,
    servers: config.servers,
    exposure,
    permissions,
    limits,
    workflows,
    code,
    context,
  };
}
