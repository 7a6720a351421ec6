import {
  type CatalogServer,
  type CatalogSnapshot,
  type CatalogStore,
  type CatalogTool,
  type KeptCatalog,
  type Logger,
  messageOf,
  PmlError,
  type ProtocolEra,
  type ServerListing,
  type ServerName,
  type ToolChange,
  type ToolId,
  type ToolOverrides,
  type ToolPin,
} from '../core/index.js';
import { cleanListing } from './clean-listing.js';
import { DefinitionPins } from './definition-pins.js';
import { approvedPin, blockedPin, judgePin, type PinPolicy, reasonOf } from './judge-pin.js';
import { ListedTools } from './listed-tools.js';
import { OverriddenTools } from './overridden-tools.js';
import { type ParsedTool, parseTools, type ToolFault } from './parse-tools.js';
import { reconcileTools } from './reconcile-tools.js';
import { stripJson } from './strip-json.js';

export interface CatalogRefresh {
  readonly server: ServerName;
  readonly configHash: string;
  readonly listing: ServerListing;
  readonly rawTools: readonly unknown[];
  readonly eras: readonly ProtocolEra[];
  /** The list comes from the server, not from the store. */
  readonly wasProbed: boolean;
  /** Why a well-formed tool must not be listed. */
  readonly faultOf?: ToolFault;
}

export interface CatalogChange {
  readonly server: ServerName;
  readonly tools: readonly CatalogTool[];
  readonly changes: readonly ToolChange[];
}

export interface CatalogOptions {
  readonly onDefinitionChange: 'warn' | 'block';
  /** Default: `allow`. */
  readonly newTools?: 'allow' | 'ask';
  /** Default: as long as the process lives. */
  readonly pins?: DefinitionPins;
  /** Default: none. */
  readonly overrides?: ToolOverrides;
  /** A copy that is read before the store is open. Default: none. */
  readonly kept?: KeptCatalog;
  readonly log: Logger;
  readonly now: () => Date;
}

/** A text of a server that had invisible characters; PML removed them. */
export interface HiddenText {
  readonly server: ServerName;
  /** Such as `tool add description`. */
  readonly place: string;
}

/**
 * All known servers and tools, in memory. Pins, changes and the store speak of definitions as the
 * servers list them; readers get them with the overrides of the user. It answers from stored lists before any server is up, and
 * writes each refresh through to the store. If the store fails, a refresh may be lost at the next
 * start, but every answer still comes.
 */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #pins: DefinitionPins;
  #policy: PinPolicy;
  /** By server, of the lists read since the start. */
  readonly #hidden = new Map<ServerName, readonly string[]>();
  readonly #servers = new Map<ServerName, CatalogServer>();
  /** As their servers list them. */
  readonly #tools = new ListedTools();
  #overridden: OverriddenTools;
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  #store: CatalogStore | undefined;
  /** What is to be written when the store is there; nothing once it is known that there is none. */
  #waiting: ((store: CatalogStore) => Promise<void>)[] | undefined = [];
  #writing: Promise<void> = Promise.resolve();
  #keeping: Promise<void> | undefined;

  constructor(options: CatalogOptions) {
    const { onDefinitionChange, newTools = 'allow', log } = options;
    this.#options = options;
    this.#policy = { onChange: onDefinitionChange, newTools };
    this.#pins = options.pins ?? new DefinitionPins({ log });
    this.#overridden = this.#override(options.overrides ?? new Map());
  }

  /** Reads the copy beside the store. Returns whether it can be relied on. */
  async restore(): Promise<boolean> {
    const snapshot = await this.#options.kept?.load();
    if (snapshot) this.#take(snapshot);
    return snapshot !== undefined;
  }

  /**
   * Loads the store. Without a restored copy, call it before the first refresh, which detects changes
   * against it. What is known by now is newer than the store.
   */
  async attach(store: CatalogStore): Promise<void> {
    const { servers, tools } = await store.load();
    const isNew = ({ name }: { name: ServerName }) => !this.#servers.has(name);
    const fresh = new Set(servers.filter(isNew).map(({ name }) => name));
    this.#take({
      servers: servers.filter(({ name }) => fresh.has(name)),
      tools: tools.filter(({ server }) => fresh.has(server)),
    });
    this.#store = store;
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const work of waiting) this.#write(work);
    for (const server of fresh) this.#keep(server);
    const stored = new Set(servers.map(({ name }) => name));
    for (const name of this.#servers.keys()) if (!stored.has(name)) this.#save(name, []);
  }

  /** There is no store: nothing waits for it any more. */
  withoutStore(): void {
    this.#waiting = undefined;
  }

  #take({ servers, tools }: CatalogSnapshot): void {
    this.#pins.adopt(servers, tools);
    for (const server of servers) {
      const { listing } = cleanListing(server.listing);
      this.#servers.set(server.name, { ...server, listing });
    }
    for (const tool of tools) this.#tools.set(this.#judged(cleaned(tool)));
    for (const { name } of servers) {
      this.#emit({ server: name, tools: this.toolsOf(name), changes: [] });
    }
  }

  setPolicy(policy: PinPolicy): void {
    this.#policy = policy;
  }

  /** Readers see the new definitions at once; the caller notifies them. */
  setOverrides(overrides: ToolOverrides): void {
    this.#overridden = this.#override(overrides);
  }

  get overridden(): OverriddenTools {
    return this.#overridden;
  }

  /** Whether a call must wait until PML compared the fresh list of its server. */
  get comparesFirst(): boolean {
    return this.#policy.onChange === 'block' || this.#policy.newTools === 'ask';
  }

  get pins(): DefinitionPins {
    return this.#pins;
  }

  /** Hidden texts in the lists read since the start. */
  hidden(): readonly HiddenText[] {
    return [...this.#hidden].flatMap(([server, places]) =>
      places.map((place) => ({ server, place })),
    );
  }

  servers(): readonly CatalogServer[] {
    return [...this.#servers.values()];
  }

  server(name: ServerName): CatalogServer | undefined {
    return this.#servers.get(name);
  }

  tools(): readonly CatalogTool[] {
    return [...this.#tools.values()].map((tool) => this.#overridden.seen(tool));
  }

  tool(id: ToolId): CatalogTool | undefined {
    const tool = this.#tools.get(id);
    return tool && this.#overridden.seen(tool);
  }

  toolsOf(server: ServerName): readonly CatalogTool[] {
    return this.#tools.ofServer(server).map((tool) => this.#overridden.seen(tool));
  }

  /** The tool without its override. */
  listed(id: ToolId): CatalogTool | undefined {
    return this.#tools.get(id);
  }

  refresh({
    server,
    configHash,
    listing,
    rawTools,
    eras,
    wasProbed,
    faultOf,
  }: CatalogRefresh): CatalogChange {
    const now = this.#options.now();
    const old = this.#servers.get(server);
    const parsed = parseTools(rawTools, faultOf);
    const clean = cleanListing(listing);
    this.#hidden.set(server, [...parsed.tools.flatMap(hiddenInTool), ...clean.hidden]);
    const wasPinned = this.#pins.of(server) !== undefined;
    const { tools, changes, pins } = reconcileTools(this.#tools.ofServer(server), parsed.tools, {
      ...this.#policy,
      server,
      configHash,
      pins: this.#pins.of(server),
      now,
    });
    // All tools of a first list are new, so these changes are not worth recording.
    this.#pins.set(server, pins, wasPinned ? changes : []);
    const firstSeen = old?.firstSeen ?? now;
    this.#servers.set(server, {
      name: server,
      configHash,
      listing: clean.listing,
      eras,
      probedAt: wasProbed || !old ? now : old.probedAt,
      firstSeen,
      lastSeen: now,
    });
    for (const tool of tools) this.#tools.set(tool);
    this.#report(server, tools, changes, parsed.nameless);
    const change = { server, tools: this.toolsOf(server), changes };
    this.#save(server, changes);
    this.#emit(change);
    return change;
  }

  /** Accepts the present definition of a blocked tool. */
  approve(id: ToolId): CatalogTool {
    const tool = this.#tools.get(id);
    if (!tool) throw new PmlError('TOOL_UNKNOWN', `No tool ${id} in the catalog; see pml tools`);
    if (tool.status !== 'blocked') {
      throw new PmlError('BAD_REQUEST', `${id} is ${tool.status}, so it needs no approval`);
    }
    const { reason: _reason, ...rest } = tool;
    return this.#decided({ ...rest, status: 'active' }, 'approved', approvedPin);
  }

  /** Withdraws the approval of a tool: it is not called until the user approves it again. */
  block(id: ToolId): CatalogTool {
    const tool = this.#tools.get(id);
    if (!tool) throw new PmlError('TOOL_UNKNOWN', `No tool ${id} in the catalog; see pml tools`);
    if (tool.status !== 'active' && tool.status !== 'blocked') {
      throw new PmlError('BAD_REQUEST', `${id} is ${tool.status}, so it cannot be blocked`);
    }
    const reason = reasonOf('blocked', id) ?? '';
    return this.#decided({ ...tool, status: 'blocked', reason }, 'blocked', blockedPin);
  }

  /** Keeps the decision of the user about a tool, and notifies listeners. */
  #decided(
    tool: CatalogTool,
    kind: 'approved' | 'blocked',
    pinned: (pin: ToolPin | undefined, hash: string) => ToolPin,
  ): CatalogTool {
    const { id, server, hash } = tool;
    this.#tools.set(tool);
    const change: ToolChange = { tool: id, at: this.#options.now(), kind, newHash: hash, diff: [] };
    this.#pin(tool, change, pinned);
    this.#save(server, [change]);
    this.#emit({ server, tools: this.toolsOf(server), changes: [change] });
    return tool;
  }

  /** Forgets a server that is no longer configured. */
  forget(server: ServerName): void {
    this.#servers.delete(server);
    this.#pins.remove(server);
    this.#hidden.delete(server);
    this.#tools.removeServer(server);
    this.#write((store) => store.removeServer(server));
    void this.#options.kept?.remove(server);
    this.#emit({ server, tools: [], changes: [] });
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when everything reported so far is in the store. */
  async settled(): Promise<void> {
    await this.#pins.settled();
    await this.#writing;
    await this.#keeping;
  }

  #override(overrides: ToolOverrides): OverriddenTools {
    return new OverriddenTools(overrides, (id) => this.#tools.get(id));
  }

  #pin(
    { server, definition, hash }: CatalogTool,
    change: ToolChange,
    pinned: (pin: ToolPin | undefined, hash: string) => ToolPin,
  ): void {
    const pins = this.#pins.of(server);
    const configHash = pins?.configHash ?? this.#servers.get(server)?.configHash;
    if (configHash === undefined) return;
    const tools = new Map(pins?.tools);
    tools.set(definition.name, pinned(tools.get(definition.name), hash));
    this.#pins.set(server, { configHash, tools }, [change]);
  }

  /** The pins override the store, which may be older or written by another gateway. */
  #judged(tool: CatalogTool): CatalogTool {
    const { id, server, definition, hash, status, reason: _reason, ...rest } = tool;
    const pins = this.#pins.of(server);
    const isPinned = pins?.configHash === this.#servers.get(server)?.configHash;
    if (!isPinned || (status !== 'active' && status !== 'blocked')) return tool;
    const pin = pins?.tools.get(definition.name);
    const reason = reasonOf(judgePin(pin, hash, { ...this.#policy, isPinned }), id);
    const judged = { ...rest, id, server, definition, hash };
    return reason === undefined
      ? { ...judged, status: 'active' }
      : { ...judged, status: 'blocked', reason };
  }

  #emit(change: CatalogChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  #save(name: ServerName, changes: readonly ToolChange[]): void {
    const server = this.#servers.get(name);
    if (!server) return;
    const tools = this.#tools.ofServer(name);
    this.#write((store) => store.save({ server, tools, changes }));
    this.#keep(name);
  }

  #keep(name: ServerName): void {
    const server = this.#servers.get(name);
    if (!server) return;
    this.#keeping = this.#options.kept?.save({ server, tools: this.#tools.ofServer(name) });
  }

  #write(work: (store: CatalogStore) => Promise<void>): void {
    const store = this.#store;
    if (!store) return void this.#waiting?.push(work);
    this.#writing = this.#writing
      .then(() => work(store))
      .catch((error: unknown) =>
        this.#options.log.error('catalog not saved', { error: messageOf(error) }),
      );
  }

  #report(
    server: ServerName,
    tools: readonly CatalogTool[],
    changes: readonly ToolChange[],
    nameless: number,
  ): void {
    const { log } = this.#options;
    for (const tool of tools) {
      if (tool.status === 'quarantined') {
        log.warn('tool quarantined: broken definition', { tool: tool.id, reason: tool.reason });
      }
    }
    if (nameless > 0) log.warn('tools without a usable name ignored', { server, count: nameless });
    for (const change of changes) {
      if (change.kind !== 'changed') continue;
      const status = this.#tools.get(change.tool)?.status;
      log.warn('tool definition changed', { tool: change.tool, status, diff: change.diff });
    }
  }
}

/** An older store may hold texts as servers wrote them. */
function cleaned(tool: CatalogTool): CatalogTool {
  const { value } = stripJson(tool.definition);
  return value === tool.definition ? tool : { ...tool, definition: value };
}

function hiddenInTool({ definition, fault, hidden }: ParsedTool): readonly string[] {
  const places = hidden.map((path) => `tool ${definition.name} ${path}`);
  return fault === undefined ? places : places.map((place) => `${place} (quarantined: ${fault})`);
}
