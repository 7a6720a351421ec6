import { ActivityLog } from '../activity/index.js';
import { Capabilities } from '../capabilities/index.js';
import type { Catalog } from '../catalog/index.js';
import {
  type Access,
  type AccessOf,
  type BeginSignIn,
  BUILT_IN_SERVER,
  isCapability,
  isNamed,
  type LockedDefinition,
  type Logger,
  matchGlobs,
  type Principal,
  nearestNames,
  parseToolId,
  PmlError,
  type ServerName,
  THE_USER,
  type ToolDefinition,
  type ToolId,
} from '../core/index.js';
import type { Discovery } from '../discovery/index.js';
import { admit, type Admission, type AdmittedCall, type ToolPolicy } from '../policy/index.js';
import type { ToolIndex } from '../search/index.js';
import type { ServerPool } from '../servers/index.js';
import { isAppOnly } from './apps/tool-ui.js';
import type { CallWatch } from './calls/call-watch.js';
import { ToolCalls } from './calls/tool-calls.js';
import { assertCapability, capabilityTool } from './capability-tools.js';
import { describeServer } from './describe-server.js';
import { Listings } from './listings.js';
import { policyWithin } from './policy-within.js';
import type { GatewaySettings } from './settings.js';
import { ToolIndexing } from './tool-indexing.js';
import { ToolPolicies } from './tool-policies.js';
import { assertOverride } from './user-rules/fixed-arguments.js';
import { emptyProfile, narrowSettings } from './user-rules/profile.js';
import { View } from './view.js';

/** How many similar names PML offers for an unknown one. */
const SHOWN_NAMES = 3;
/** Lists change in bursts while servers start; PML notifies listeners once. */
const TELL_DELAY_MS = 100;
/** Named clients are as many as an authorization server knows. */
const MOST_NARROWED = 200;

export interface ToolDirectoryParts {
  readonly catalog: Catalog;
  readonly pool: ServerPool;
  readonly capabilities: Capabilities;
  readonly discovery: Discovery;
  readonly log: Logger;
  /** Resolves when the stored catalog is in memory, or could not be read. */
  readonly catalogLoaded: Promise<void>;
  /** Notified of every call that is made for a client. */
  readonly watch?: CallWatch;
  readonly beginSignIn?: BeginSignIn;
  /** What named clients may use. Default: everything. */
  readonly accessOf?: AccessOf;
  /** Default: one of its own. */
  readonly activity?: ActivityLog;
  /** The named client that this directory is for. */
  readonly owner?: Principal;
}

/**
 * All current tools and capabilities under the rules of the user: what exists, its names and
 * definition, whether it may be called, and how to call it.
 */
export class ToolDirectory {
  readonly catalog: Catalog;
  readonly pool: ServerPool;
  readonly capabilities: Capabilities;
  readonly catalogLoaded: Promise<void>;
  readonly calls: ToolCalls;
  /** The last calls of clients and runs. */
  readonly activity: ActivityLog;
  readonly #parts: ToolDirectoryParts;
  /** The whole directory, of which this one is a part. */
  readonly #whole: ToolDirectory | undefined;
  /** Capabilities have words and values of the user in them: named clients know none. */
  readonly #noCapabilities: Capabilities;
  /** Parts of this directory, by profile and named client. */
  readonly #narrowed = new Map<string, ToolDirectory>();
  readonly #log: Logger;
  readonly #indexing: ToolIndexing;
  readonly #policies: ToolPolicies;
  readonly #listings: Listings;
  readonly #listeners = new Set<() => void>();
  #settings: GatewaySettings;
  #view: View | undefined;
  /** Views of clients that may use less, by what they may use. */
  readonly #accessViews = new Map<string, View>();
  readonly #accessOf: AccessOf;
  #isTelling = false;

  constructor(settings: GatewaySettings, parts: ToolDirectoryParts, whole?: ToolDirectory) {
    const { catalog, pool, capabilities, catalogLoaded } = parts;
    this.#parts = parts;
    this.#noCapabilities = new Capabilities({ log: parts.log, now: () => new Date() });
    this.#whole = whole;
    this.#settings = settings;
    this.catalog = catalog;
    this.pool = pool;
    this.capabilities = capabilities;
    this.catalogLoaded = catalogLoaded;
    this.#log = parts.log;
    this.#indexing = new ToolIndexing(parts.discovery, () => this.#searchable());
    this.#policies = new ToolPolicies(settings, parts);
    this.#listings = new Listings({ catalog, pool, catalogLoaded, view: () => this.view });
    this.activity = parts.activity ?? new ActivityLog();
    this.#accessOf = parts.accessOf ?? (() => undefined);
    this.calls = new ToolCalls({
      pool,
      catalog,
      admit: (tool, call) => this.admit(tool, call),
      watch: parts.watch,
      activity: this.activity,
      beginSignIn: parts.beginSignIn,
      expose: (server, result) => this.view.uiAddresses.exposeResult(server, result),
      accessOf: (principal) => this.#accessOf(principal),
    });
    // The whole tells its parts.
    if (whole) return;
    capabilities.onChange(() => this.#invalidate());
    catalog.onChange((change) => {
      if (change.server) this.#invalidate();
    });
  }

  get settings(): GatewaySettings {
    return this.#settings;
  }

  /**
   * The directory for clients of a profile: fewer tools, stricter rules, the same servers behind it.
   * Without a name it is that of `settings.profile`. If a profile is gone, its clients get nothing.
   */
  within(
    name: string | undefined = this.#settings.profile,
    principal: Principal = THE_USER,
  ): ToolDirectory {
    const owner = isNamed(principal) ? principal : undefined;
    if (name === undefined && owner === undefined) return this;
    const key = JSON.stringify([name, owner]);
    const known = this.#narrowed.get(key);
    if (known) return known;
    if (this.#narrowed.size >= MOST_NARROWED) this.#narrowed.clear();
    const profile = name === undefined ? undefined : this.#profile(name);
    const { watch: _watch, ...parts } = this.#parts;
    const narrowed = new ToolDirectory(
      profile ? narrowSettings(this.#settings, profile) : this.#settings,
      {
        ...parts,
        ...(owner && { capabilities: this.#noCapabilities, owner }),
        activity: this.activity,
      },
      this,
    );
    this.#narrowed.set(key, narrowed);
    return narrowed;
  }

  #profile(name: string) {
    return this.#settings.profiles?.get(name) ?? emptyProfile(name);
  }

  /** Whether clients of this directory may know of a tool that the index has. */
  isWithin(tool: ToolId): boolean {
    return this.#whole === undefined || this.policyOf(tool).denied === undefined;
  }

  configure(settings: GatewaySettings): void {
    this.#narrowed.clear();
    this.#listings.restart();
    this.#settings = settings;
    this.#policies.configure(settings);
    this.#invalidate();
  }

  /** Notifies of changed lists, capabilities or rules, once for changes that come together. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What PML says to clients about itself and its servers when they greet. */
  get instructions(): string {
    const { instructions, servers } = this.view;
    const waiting = this.pool
      .all()
      .filter(
        ({ spec, status }) => status.state === 'needs_sign_in' && servers.includes(spec.name),
      );
    if (waiting.length === 0) return instructions;
    const commands = waiting.map(({ spec }) => `pml auth login ${spec.name}`).join(', ');
    const text = `Some servers need the user to sign in before their tools work. Ask the user to run: ${commands}`;
    return instructions === '' ? text : `${instructions}\n\n${text}`;
  }

  /** What a client may use beyond the rules of the configuration; undefined: all of it. */
  accessOf(principal: Principal): Access | undefined {
    return this.#accessOf(principal);
  }

  /** What this client may see: for most clients what all may see. */
  viewFor(principal: Principal): View {
    const access = this.#accessOf(principal);
    if (!access) return this.view;
    const key = JSON.stringify([[...access.servers], access.isReadOnly]);
    const known = this.#accessViews.get(key);
    if (known) return known;
    const isIn = matchGlobs(access.servers);
    const servers = new Map([...this.#settings.servers].filter(([name]) => isIn(name)));
    const view = new View(
      this.catalog,
      { ...this.#settings, servers },
      (id) => !this.isWithin(id) || (access.isReadOnly && !this.admit(id, {}).isReading),
    );
    this.#accessViews.set(key, view);
    return view;
  }

  get view(): View {
    const { owner } = this.#parts;
    if (owner && this.#accessOf(owner)) return this.viewFor(owner);
    this.#view ??= new View(this.catalog, this.#settings, (tool) => !this.isWithin(tool));
    return this.#view;
  }

  /** The search index over exactly the tools a client may see. */
  get index(): ToolIndex {
    return this.discovery.index;
  }

  /** Searches the tools of all clients; `isWithin` says which of them this directory has. */
  get discovery(): Discovery {
    if (this.#whole) return this.#whole.discovery;
    return this.#indexing.discovery;
  }

  /** Indexes what is new, in slices, and loads the model as soon as there is one. */
  warmUp(): void {
    void this.#prepared().then(() => this.discovery.warmUp());
  }

  policyOf(tool: ToolId): ToolPolicy {
    const policy = this.#policies.of(tool);
    const { owner } = this.#parts;
    const access = owner && this.#accessOf(owner);
    return access ? policyWithin(tool, policy, access) : policy;
  }

  /** Whether a tool may be called in this way, and who must approve it first. */
  admit(tool: ToolId, call: AdmittedCall): Admission {
    return admit(tool, this.policyOf(tool), call);
  }

  /** The definition of a tool or a capability. */
  definitionOf(tool: ToolId): ToolDefinition | undefined {
    if (!isCapability(tool)) return this.catalog.tool(tool)?.definition;
    const capability = this.capabilities.get(parseToolId(tool).tool);
    return capability && capabilityTool(capability).definition;
  }

  /** The definition that code calling the tool depends on. */
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

  /** Quarantines capabilities whose tool definitions changed, until they are proven again. */
  checkLocks(): void {
    const { unlisted } = this.view;
    const checks = this.capabilities.checkLocks(
      (tool) => this.lockedDefinition(tool),
      // The tools of a server are unknown until it has listed them.
      (tool) => !unlisted.includes(parseToolId(tool).server),
    );
    for (const { name, kind } of checks) this.#log.info('capability checked', { name, kind });
  }

  /** See `Listings.first`. */
  firstListing(patienceMs?: number): Promise<void> {
    return this.#listings.first(patienceMs);
  }

  /** Like `firstListing`. Afterwards no search has to index thousands of tools at once. */
  async readyToSearch(patienceMs?: number): Promise<void> {
    await this.firstListing(patienceMs);
    await this.#prepared();
  }

  /** See `Listings.find`. */
  findListed<T>(find: () => T | undefined): Promise<T | undefined> {
    return this.#listings.find(find);
  }

  /** See `Listings.ofTool`. */
  toolListing(name: string): Promise<void> {
    return this.#listings.ofTool(name);
  }

  unlistedServer(name: string): ServerName | undefined {
    return this.#listings.unlistedServer(name);
  }

  get awaitedServers(): readonly ServerName[] {
    return this.#listings.awaited;
  }

  /** Refuses a tool that cannot exist. A tool of a server that has not listed yet may exist. */
  assertTool(id: ToolId): void {
    const { server } = parseToolId(id);
    if (server === BUILT_IN_SERVER) return;
    if (isCapability(id)) {
      assertCapability(this.capabilities, id);
      return;
    }
    this.pool.get(server);
    if (this.view.tools.find(id)?.tool.id === id) {
      assertOverride(this.catalog, id, {});
      return;
    }
    const known = this.catalog.tool(id);
    if (known && known.status !== 'active' && known.status !== 'gone') {
      throw new PmlError('TOOL_BLOCKED', `${id} is ${known.status}: ${known.reason ?? ''}`);
    }
    // Lists of another configuration do not count.
    if (this.view.unlisted.includes(server)) return;
    if (known?.status === 'active') {
      const denied = this.#whole && this.policyOf(id).denied;
      const why = denied === undefined ? 'hidden by the configuration' : `denied: ${denied}`;
      throw new PmlError('TOOL_DENIED', `${id} is ${why}`);
    }
    throw new PmlError('TOOL_UNKNOWN', `No tool ${id}.${this.nearTools(id)}`, {
      details: { tool: id },
    });
  }

  /** A hint for a client that named an unknown tool: the three most similar names. */
  nearTools(name: string): string {
    const known = this.view.all.map(({ tool }) => tool.id);
    const near = nearestNames(name, known, SHOWN_NAMES);
    return near.length > 0 ? ` Near: ${near.join(', ')}` : '';
  }

  #forget(): void {
    this.#accessViews.clear();
    this.#view = undefined;
    this.#policies.forget();
  }

  #invalidate(): void {
    this.#forget();
    for (const narrowed of this.#narrowed.values()) narrowed.#forget();
    this.#indexing.changed();
    if (this.#isTelling) return;
    this.#isTelling = true;
    setTimeout(() => void this.#preparedThenTell(), TELL_DELAY_MS).unref();
  }

  /** All tools have one index. */
  #prepared(): Promise<void> {
    return (this.#whole ?? this).#indexing.prepared();
  }

  async #preparedThenTell(): Promise<void> {
    await this.#prepared();
    this.#tell();
  }

  #tell(): void {
    this.#isTelling = false;
    this.checkLocks();
    for (const listener of this.#listeners) listener();
  }

  #searchable(): Parameters<Discovery['sync']>[0] {
    const capabilities = this.capabilities.shown().map(capabilityTool);
    // A tool that only the user interface of its server calls is no choice of a model.
    const visible = this.view.all.filter(({ tool }) => !isAppOnly(tool.definition));
    const all = [...visible.map(({ tool }) => tool), ...capabilities];
    const tools = new Map(all.map((tool) => [tool.id, tool]));
    const servers = new Map(
      this.catalog.servers().map((server) => [server.name, describeServer(server)]),
    );
    return { tools, servers };
  }
}
