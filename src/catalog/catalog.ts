import {
  type CatalogServer,
  type CatalogStore,
  type CatalogTool,
  type Logger,
  messageOf,
  PmlError,
  type ProtocolEra,
  type ServerListing,
  type ServerName,
  type ToolChange,
  type ToolId,
} from '../core/index.js';
import { parseTools, type ToolFault } from './parse-tools.js';
import { reconcileTools } from './reconcile-tools.js';

export interface CatalogRefresh {
  readonly server: ServerName;
  readonly configHash: string;
  readonly listing: ServerListing;
  readonly rawTools: readonly unknown[];
  readonly eras: readonly ProtocolEra[];
  /** The server was asked just now, not remembered. */
  readonly wasProbed: boolean;
  /** Why a tool must not be listed that is otherwise well formed. */
  readonly faultOf?: ToolFault;
}

export interface CatalogChange {
  readonly server: ServerName;
  readonly tools: readonly CatalogTool[];
  readonly changes: readonly ToolChange[];
}

export interface CatalogOptions {
  readonly onDefinitionChange: 'warn' | 'block';
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Every server and tool we know, in memory. It answers from what was stored before any server is
 * up, and writes each refresh through to the store; a store that fails costs memory of tomorrow,
 * never an answer of today.
 */
export class Catalog {
  #options: CatalogOptions;
  readonly #servers = new Map<ServerName, CatalogServer>();
  readonly #tools = new Map<ToolId, CatalogTool>();
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  #store: CatalogStore | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Takes in what is stored. Comes before the first refresh: a change is seen only against the past. */
  async attach(store: CatalogStore): Promise<void> {
    const { servers, tools } = await store.load();
    for (const server of servers) this.#servers.set(server.name, server);
    for (const tool of tools) this.#tools.set(tool.id, tool);
    this.#store = store;
    for (const { name } of servers) {
      this.#emit({ server: name, tools: this.toolsOf(name), changes: [] });
    }
  }

  setPolicy(onDefinitionChange: 'warn' | 'block'): void {
    this.#options = { ...this.#options, onDefinitionChange };
  }

  servers(): readonly CatalogServer[] {
    return [...this.#servers.values()];
  }

  server(name: ServerName): CatalogServer | undefined {
    return this.#servers.get(name);
  }

  tools(): readonly CatalogTool[] {
    return [...this.#tools.values()];
  }

  tool(id: ToolId): CatalogTool | undefined {
    return this.#tools.get(id);
  }

  toolsOf(server: ServerName): readonly CatalogTool[] {
    return this.tools().filter((tool) => tool.server === server);
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
    const { tools, changes } = reconcileTools(this.toolsOf(server), parsed.tools, {
      server,
      onChange: this.#options.onDefinitionChange,
      isNewServer: old?.configHash !== configHash,
      now,
    });
    const firstSeen = old?.firstSeen ?? now;
    this.#servers.set(server, {
      name: server,
      configHash,
      listing,
      eras,
      probedAt: wasProbed || !old ? now : old.probedAt,
      firstSeen,
      lastSeen: now,
    });
    for (const tool of tools) this.#tools.set(tool.id, tool);
    this.#report(server, tools, changes, parsed.nameless);
    const change = { server, tools, changes };
    this.#save(server, changes);
    this.#emit(change);
    return change;
  }

  /** Accepts the present definition of a blocked tool. */
  approve(id: ToolId): CatalogTool {
    const tool = this.#tools.get(id);
    if (!tool) throw new PmlError('TOOL_UNKNOWN', `No tool ${id} in the catalog; see pml tools`);
    if (tool.status !== 'blocked') {
      throw new PmlError('BAD_REQUEST', `${id} is ${tool.status}, there is nothing to approve`);
    }
    const { reason: _reason, ...rest } = tool;
    const approved: CatalogTool = { ...rest, status: 'active' };
    this.#tools.set(id, approved);
    const at = this.#options.now();
    const change: ToolChange = { tool: id, at, kind: 'approved', newHash: tool.hash, diff: [] };
    this.#save(tool.server, [change]);
    this.#emit({ server: tool.server, tools: this.toolsOf(tool.server), changes: [change] });
    return approved;
  }

  /** Forgets a server that is no longer configured. */
  forget(server: ServerName): void {
    this.#servers.delete(server);
    for (const tool of this.toolsOf(server)) this.#tools.delete(tool.id);
    this.#write((store) => store.removeServer(server));
    this.#emit({ server, tools: [], changes: [] });
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when everything reported so far is in the store. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #emit(change: CatalogChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  #save(name: ServerName, changes: readonly ToolChange[]): void {
    const server = this.#servers.get(name);
    if (!server) return;
    const tools = this.toolsOf(name);
    this.#write((store) => store.save({ server, tools, changes }));
  }

  #write(work: (store: CatalogStore) => Promise<void>): void {
    const store = this.#store;
    if (!store) return;
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
        log.warn('tool set aside: broken definition', { tool: tool.id, reason: tool.reason });
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
