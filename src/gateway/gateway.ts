import type { Capabilities } from '../capabilities/index.js';
import type { Catalog, CatalogChange } from '../catalog/index.js';
import {
  asText,
  BUILT_IN_SERVER,
  type ExecutionTrace,
  isCapability,
  type JsonObject,
  type LockedDefinition,
  type Logger,
  maskForms,
  maskJson,
  messageOf,
  nearestNames,
  parseToolId,
  PmlError,
  type ServerName,
  type ToolDefinition,
  type ToolId,
} from '../core/index.js';
import type { Discovery, Trail } from '../discovery/index.js';
import { GraphMetrics, type KnowledgeGraph, SessionGraph } from '../graph/index.js';
import {
  admit,
  type Admission,
  type AdmittedCall,
  createToolPolicy,
  joinPolicies,
  type ToolPolicy,
} from '../policy/index.js';
import { KeptResults } from '../results/index.js';
import type { Runs } from '../runs/index.js';
import type { ToolIndex } from '../search/index.js';
import type { Caller, NotifiedClient, ServerPool } from '../servers/index.js';
import type { Suggester } from '../suggest/index.js';
import {
  assertCapability,
  capabilityTool,
  describeServer,
  type GatewaySettings,
  ToolCalls,
  View,
} from '../tools/index.js';
import { createSuggester, Dialogs, Planning, RunClients } from '../workflows/index.js';
import { servedSkills, type Skills } from './exposure/skills.js';
import type { ClientSession, ListKind } from './session/client-session.js';
import { HeldCalls } from './session/held-calls.js';
import { LOG_LEVELS } from './session/log-levels.js';

/** How long a first list or search may wait for servers nobody has seen before. */
const FIRST_LISTING_MS = 2_500;
/** A request that names a prompt or a resource has no answer without the server that has it. */
const NAMED_LISTING_MS = 15_000;
/** A server that fails changes no list; so often it is looked for. */
const LOOK_AGAIN_MS = 100;
/** Lists change in bursts while servers start; clients are told once. */
const TELL_DELAY_MS = 100;
const WARM_UP_DELAY_MS = 300;
/** Names that are offered for one that is not there. */
const SHOWN_NAMES = 3;

export interface ListWatcher {
  listChanged(kind: ListKind): void;
  resourceUpdated(uri: string): void;
}

export interface GatewayParts {
  readonly catalog: Catalog;
  readonly pool: ServerPool;
  readonly log: Logger;
  readonly keptResultBytes: number;
  readonly discovery: Discovery;
  readonly capabilities: Capabilities;
  readonly graph: KnowledgeGraph;
  /** The runs of this gateway; they call back into it. */
  readonly runs: (gateway: Gateway) => Runs;
  /** Resolves when the stored catalog is in memory, or could not be read. */
  readonly catalogLoaded: Promise<void>;
  /** Hides secrets in what PML itself says. */
  readonly mask?: (text: string) => string;
  /** Hides known secrets alone: what must reach a client as it is otherwise. */
  readonly maskKnown?: (text: string) => string;
}

/** What all client sessions of a daemon share. */
export class Gateway {
  readonly catalog: Catalog;
  readonly pool: ServerPool;
  readonly log: Logger;
  readonly kept: KeptResults;
  readonly held = new HeldCalls();
  readonly dialogs = new Dialogs();
  readonly calls: ToolCalls;
  readonly runs: Runs;
  readonly capabilities: Capabilities;
  readonly runClients = new RunClients();
  readonly planning: Planning;
  readonly graph: KnowledgeGraph;
  readonly metrics: GraphMetrics;
  readonly suggester: Suggester;
  readonly catalogLoaded: Promise<void>;
  /** Hides secrets in what PML itself says. */
  readonly mask: (text: string) => string;
  readonly maskKnown: (text: string) => string;
  readonly #discovery: Discovery;
  readonly #sessions = new Set<ClientSession>();
  readonly #watchers = new Set<ListWatcher>();
  #settings: GatewaySettings;
  #judge: ReturnType<typeof createToolPolicy>;
  readonly #policies = new Map<ToolId, ToolPolicy>();
  #view: View | undefined;
  #skills: Skills | undefined;
  #isIndexStale = true;
  #isTelling = false;
  #graceEnds: number | undefined;
  #toldLists = '';

  constructor(settings: GatewaySettings, parts: GatewayParts) {
    this.#settings = settings;
    this.catalog = parts.catalog;
    this.pool = parts.pool;
    this.log = parts.log;
    this.catalogLoaded = parts.catalogLoaded;
    this.mask = parts.mask ?? maskForms;
    this.maskKnown = parts.maskKnown ?? ((text) => text);
    this.#discovery = parts.discovery;
    this.kept = new KeptResults({
      memoryBytes: parts.keptResultBytes,
      limits: () => this.#settings.limits,
      opened: parts.catalogLoaded,
      now: () => Date.now(),
      log: parts.log,
    });
    this.#judge = policyRules(settings);
    this.planning = new Planning(parts.catalog, parts.log);
    this.graph = parts.graph;
    this.metrics = new GraphMetrics(parts.graph, {
      now: () => performance.now(),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
      log: parts.log,
    });
    parts.discovery.useSession(
      new SessionGraph({
        graph: parts.graph,
        metrics: () => this.metrics.current,
        capabilities: () => parts.capabilities.list(),
        now: () => Date.now(),
      }),
    );
    this.suggester = createSuggester({
      ...parts,
      planning: this.planning,
      metrics: this.metrics,
      discovery: () => this.discovery,
    });
    this.calls = new ToolCalls({
      pool: parts.pool,
      catalog: parts.catalog,
      admit: (tool, call) => this.admit(tool, call),
    });
    this.capabilities = parts.capabilities;
    this.runs = parts.runs(this);
    parts.capabilities.onChange(() => this.#invalidate());
    parts.catalog.onChange((change) => this.#onCatalogChange(change));
  }

  get settings(): GatewaySettings {
    return this.#settings;
  }

  get sessions(): ReadonlySet<ClientSession> {
    return this.#sessions;
  }

  get view(): View {
    this.#view ??= new View(this.catalog, this.#settings);
    return this.#view;
  }

  /** Capabilities as Skills, as they are now. */
  get skills(): Skills {
    this.#skills ??= servedSkills(this);
    return this.#skills;
  }

  /** The search index over exactly the tools a client may see. */
  get index(): ToolIndex {
    return this.discovery.index;
  }

  /** Searches exactly the tools a client may see. */
  get discovery(): Discovery {
    if (this.#isIndexStale) this.#updateIndex();
    return this.#discovery;
  }

  /** Calls are remembered without bringing the search up to date: nobody may be searching. */
  executed(trail: { current: Trail }, execution: Parameters<Discovery['executed']>[1]): void {
    trail.current = this.#discovery.executed(trail.current, execution);
  }

  /** Takes executions into account wherever something is learned from them. */
  remember(traces: readonly ExecutionTrace[]): void {
    this.planning.learn(traces);
    this.suggester.remember(traces);
    this.suggester.considerLearning();
  }

  /** How near texts are in meaning, where a model says so. */
  compare(texts: readonly string[]): ReturnType<Discovery['compare']> {
    return this.#discovery.compare(texts);
  }

  /** Runs that ended while nobody could remember them. */
  recovered(...runs: Parameters<Discovery['recover']>): void {
    this.#discovery.recover(...runs);
  }

  /** What the user's rules, the tool's own hints and its name say of calling it. */
  policyOf(tool: ToolId): ToolPolicy {
    const known = this.#policies.get(tool);
    if (known) return known;
    const policy = this.#judged(tool);
    this.#policies.set(tool, policy);
    return policy;
  }

  /** Whether a tool may be called in this way, and who must approve it first. */
  admit(tool: ToolId, call: AdmittedCall): Admission {
    return admit(tool, this.policyOf(tool), call);
  }

  #judged(tool: ToolId): ToolPolicy {
    const { server, tool: name } = parseToolId(tool);
    if (server === BUILT_IN_SERVER) return { risk: 'read', repeatable: true };
    if (!isCapability(tool)) return this.#judge(tool, this.catalog.tool(tool)?.definition);
    // One that is not there is refused before anything asks for its policy to call it.
    if (!this.capabilities.get(name)) return { risk: 'write', repeatable: false };
    return joinPolicies(this.capabilities.toolsOf(name), (one) => this.policyOf(one));
  }

  /** How a tool or a capability is called. */
  definitionOf(tool: ToolId): ToolDefinition | undefined {
    if (!isCapability(tool)) return this.catalog.tool(tool)?.definition;
    const capability = this.capabilities.get(parseToolId(tool).tool);
    return capability && capabilityTool(capability).definition;
  }

  /** What code that calls a tool depends on. */
  lockedDefinition(tool: ToolId): LockedDefinition | undefined {
    const known = this.catalog.tool(tool);
    if (known?.status !== 'active') return undefined;
    const { inputSchema, outputSchema, description } = known.definition;
    return {
      hash: known.hash,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      ...(description && { description }),
    };
  }

  configure(settings: GatewaySettings): void {
    this.#graceEnds = undefined;
    this.#settings = settings;
    this.#judge = policyRules(settings);
    this.#invalidate();
  }

  add(session: ClientSession): void {
    // What this client is about to be shown is what later changes are measured against.
    if (this.#sessions.size === 0) this.#toldLists = this.#lists();
    this.#sessions.add(session);
    this.#warmUpSoon();
  }

  remove(session: ClientSession): void {
    this.#sessions.delete(session);
    this.applyLogLevel();
    for (const uri of session.subscriptions) this.#unwatch(uri);
    this.runClients.leave(session.id);
    this.held.leave(session.id);
    void this.pool.release(session.id);
  }

  /**
   * Waits until servers we have never seen have shown their lists: a first answer without them would
   * look as if they had nothing. The time runs once for everybody, so that a server that hangs
   * delays at most the very first questions.
   */
  async firstListing(patienceMs?: number): Promise<void> {
    await this.#listed(() => this.#pending().length === 0, patienceMs);
  }

  /**
   * What a request names, once a server has listed it. As long as a server may still list it, nobody
   * can say that it does not exist: a slow start is waited for, a server that fails is not.
   */
  async findListed<T>(find: () => T | undefined): Promise<T | undefined> {
    await this.catalogLoaded;
    const isEnough = () => find() !== undefined || this.#coming().length === 0;
    if (!isEnough()) await this.#listed(isEnough, NAMED_LISTING_MS);
    return find();
  }

  /**
   * The same for one tool: once it is known, what other servers have does not matter. A name that
   * says which server it means starts that one, whatever is in line before it.
   */
  async toolListing(name: string): Promise<void> {
    await this.catalogLoaded;
    if (isCapability(name as ToolId)) return;
    const isKnown = () => this.view.tools.find(name) !== undefined;
    if (isKnown()) return;
    const server = this.unlistedServer(name);
    if (!server) return this.#listed(() => isKnown() || this.#pending().length === 0);
    // Why it failed is in its status, which `explainMissing` reads.
    await this.pool
      .get(server)
      .refresh()
      .catch(() => {});
  }

  /**
   * The server a qualified tool name means, when we have no lists of it, or blocked the tool by an
   * earlier list: the server may have gone back to what was approved.
   */
  unlistedServer(name: string): ServerName | undefined {
    const isMeant = (server: ServerName) =>
      this.pool.has(server) && (name.startsWith(`${server}__`) || name.startsWith(`${server}:`));
    return this.view.unlisted.find(isMeant) ?? this.#blockedBefore(name, isMeant);
  }

  #blockedBefore(name: string, isMeant: (server: ServerName) => boolean): ServerName | undefined {
    return this.view.servers.find(
      (server) =>
        isMeant(server) &&
        !this.pool.get(server).isListed &&
        this.catalog
          .toolsOf(server)
          .some(({ status, definition }) => status === 'blocked' && name.endsWith(definition.name)),
    );
  }

  /** Refuses a tool that cannot exist; one of a server that has not been listed yet may. */
  assertTool(id: ToolId): void {
    const { server } = parseToolId(id);
    if (server === BUILT_IN_SERVER) return;
    if (isCapability(id)) {
      assertCapability(this.capabilities, id);
      return;
    }
    this.pool.get(server);
    if (this.view.tools.find(id)?.tool.id === id) return;
    const known = this.catalog.tool(id);
    if (known && known.status !== 'active' && known.status !== 'gone') {
      throw new PmlError('TOOL_BLOCKED', `${id} is ${known.status}: ${known.reason ?? ''}`);
    }
    // What the lists of another configuration said does not count.
    if (this.view.unlisted.includes(server)) return;
    if (known?.status === 'active') {
      throw new PmlError('TOOL_DENIED', `${id} is hidden by the configuration`);
    }
    throw new PmlError('TOOL_UNKNOWN', `No tool ${id}.${this.nearTools(id)}`, {
      details: { tool: id },
    });
  }

  /** For whoever named a tool that is not there: the three whose names are most like it. */
  nearTools(name: string): string {
    const known = this.view.all.map(({ tool }) => tool.id);
    const near = nearestNames(name, known, SHOWN_NAMES);
    return near.length > 0 ? ` Near: ${near.join(', ')}` : '';
  }

  /** A notification of a server that no running call explains. */
  onServerNotification(
    server: ServerName,
    method: string,
    params: JsonObject | undefined,
    { caller, isFor }: NotifiedClient,
  ): void {
    const sessions = [...this.#sessions].filter(({ id }) => isFor(id));
    if (method === 'notifications/message') {
      const mask = (text: string) => this.#maskFor(server, text);
      const told = maskJson(params ?? {}, mask) as JsonObject;
      const message = { ...told, logger: loggerName(server, params) };
      if (caller) caller.tell(method, message);
      else for (const session of sessions) session.tell(method, message);
    } else if (method === 'notifications/elicitation/complete') {
      for (const session of sessions) session.tell(method, params ?? {});
    } else if (method === 'notifications/resources/updated') {
      for (const session of this.#sessions) session.resourceUpdated(server, params ?? {});
      for (const watcher of this.#watchers) watcher.resourceUpdated(asText(params?.['uri']));
    } else {
      this.log.debug('notification dropped', { server, method });
    }
  }

  /** What a server logs goes to clients without what only the server may know. */
  #maskFor(server: ServerName, text: string): string {
    return this.pool.has(server) ? this.pool.get(server).mask(text) : this.mask(text);
  }

  /** Tells of changes to those that are no session: the stateless side of HTTP. */
  watch(watcher: ListWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Asks the owner of a resource to report its changes. */
  subscribe(uri: string, caller: Caller): void {
    const found = this.view.findResource(uri);
    if (!found) return;
    this.pool
      .get(found.server)
      .request('resources/subscribe', { uri: found.uri }, { caller })
      .catch((error: unknown) =>
        this.log.debug('resource not watched', { uri, error: messageOf(error) }),
      );
  }

  isSubscribed(uri: string): boolean {
    return [...this.#sessions].some((session) => session.subscriptions.has(uri));
  }

  /**
   * Between a client's greeting and its first question there is time to load the model and to index
   * what servers list. In proxy mode nobody asks.
   */
  #warmUpSoon(): void {
    if (this.#settings.exposure.mode === 'proxy') return;
    setTimeout(() => this.discovery.warmUp(), WARM_UP_DELAY_MS).unref();
  }

  #unwatch(uri: string): void {
    const found = this.isSubscribed(uri) ? undefined : this.view.findResource(uri);
    if (found && this.pool.has(found.server)) this.pool.get(found.server).unwatch(found.uri);
  }

  /** Servers log at the lowest level any client wants. */
  applyLogLevel(): void {
    const levels = [...this.#sessions].flatMap((session) => session.logLevel ?? []);
    const lowest = LOG_LEVELS.find((level) => levels.includes(level));
    if (lowest) for (const server of this.pool.all()) server.setLogLevel(lowest);
  }

  /** Resolves when no list is missing, or after `maxMs`. */
  async #listed(isEnough: () => boolean, patienceMs?: number): Promise<void> {
    await this.catalogLoaded;
    this.#graceEnds ??= performance.now() + FIRST_LISTING_MS;
    const left = patienceMs ?? this.#graceEnds - performance.now();
    if (left <= 0 || isEnough()) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        stop();
        clearTimeout(timer);
        clearInterval(again);
        resolve();
      };
      const look = () => {
        if (isEnough()) end();
      };
      const timer = setTimeout(end, left);
      const again = setInterval(look, LOOK_AGAIN_MS);
      const stop = this.catalog.onChange(look);
    });
  }

  /** Servers that have not shown their lists yet and may still do so soon. */
  get awaitedServers(): readonly ServerName[] {
    return this.#pending();
  }

  #pending(): readonly ServerName[] {
    return this.#coming().filter((name) => !this.pool.get(name).isSlow);
  }

  /** Servers that have not shown their lists and have not failed. */
  #coming(): readonly ServerName[] {
    return this.view.unlisted.filter((name) => {
      return this.pool.has(name) && this.pool.get(name).status.lastError === undefined;
    });
  }

  #onCatalogChange(change: CatalogChange): void {
    if (change.server) this.#invalidate();
  }

  #invalidate(): void {
    this.#view = undefined;
    this.#skills = undefined;
    this.#policies.clear();
    this.#isIndexStale = true;
    if (this.#isTelling) return;
    this.#isTelling = true;
    setTimeout(() => {
      this.#isTelling = false;
      this.#tellChanges();
    }, TELL_DELAY_MS).unref();
  }

  #tellChanges(): void {
    this.checkLocks();
    if (this.#sessions.size > 0) this.#warmUpSoon();
    const before = this.#toldLists.split('\n');
    this.#toldLists = this.#lists();
    const now = this.#toldLists.split('\n');
    const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources'];
    kinds.forEach((kind, index) => {
      if (now[index] === before[index]) return;
      for (const session of this.#sessions) session.listChanged(kind);
      for (const watcher of this.#watchers) watcher.listChanged(kind);
    });
  }

  /** A line a list; JSON holds no line breaks. */
  #lists(): string {
    const { toolList, promptList, resourceList, templateList } = this.view;
    const resources = [resourceList, this.skills.resources, templateList];
    const lists = [toolList, promptList, resources];
    return lists.map((list) => JSON.stringify(list)).join('\n');
  }

  /** Code that was proven with other definitions is not offered before it is proven again. */
  checkLocks(): void {
    const { unlisted } = this.view;
    const checks = this.capabilities.checkLocks(
      (tool) => this.lockedDefinition(tool),
      // Nothing is known of a server that has not shown its tools.
      (tool) => !unlisted.includes(parseToolId(tool).server),
    );
    for (const { name, kind } of checks) this.log.info('capability checked', { name, kind });
  }

  #updateIndex(): void {
    this.#isIndexStale = false;
    const capabilities = this.capabilities.shown().map(capabilityTool);
    const all = [...this.view.all.map(({ tool }) => tool), ...capabilities];
    const tools = new Map(all.map((tool) => [tool.id, tool]));
    const servers = new Map(
      this.catalog.servers().map((server) => [server.name, describeServer(server)]),
    );
    this.#discovery.sync({ tools, servers });
  }
}

function policyRules({ permissions, workflows }: GatewaySettings) {
  return createToolPolicy({ permissions, idempotent: workflows.idempotent });
}

function loggerName(server: ServerName, params: JsonObject | undefined): string {
  const own = params?.['logger'];
  return typeof own === 'string' ? `${server}:${own}` : server;
}
