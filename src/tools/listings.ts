import type { Catalog } from '../catalog/index.js';
import { isCapability, type ServerName, type ToolId } from '../core/index.js';
import type { ServerPool } from '../servers/index.js';
import type { View } from './view.js';

/** How long a first list or search may wait for servers that PML has never listed. */
const FIRST_LISTING_MS = 2_500;
/** A request that names a prompt or a resource has no answer without the server that has it. */
const NAMED_LISTING_MS = 15_000;
/** A server that fails changes no list, so PML looks for failures this often. */
const LOOK_AGAIN_MS = 100;

interface ListingsOptions {
  readonly catalog: Catalog;
  readonly pool: ServerPool;
  /** Resolves when the stored catalog is in memory, or could not be read. */
  readonly catalogLoaded: Promise<void>;
  readonly view: () => View;
}

/** Waits for the lists of servers: which of them are still missing, and for how long it is worth it. */
export class Listings {
  readonly #options: ListingsOptions;
  #graceEnds: number | undefined;

  constructor(options: ListingsOptions) {
    this.#options = options;
  }

  /** After a change of the configuration, new servers get their time again. */
  restart(): void {
    this.#graceEnds = undefined;
  }

  /**
   * Waits until servers we have never seen have shown their lists: a first answer without them would
   * look as if they had nothing. The time runs once for all requests, so that a server that hangs
   * delays at most the very first questions.
   */
  async first(patienceMs?: number): Promise<void> {
    await this.#listed(() => this.awaited.length === 0, patienceMs);
  }

  /**
   * What a request names, once a server has listed it. As long as a server may still list it, PML
   * cannot say that it does not exist: PML waits for a slow start, and not for a server that failed.
   */
  async find<T>(find: () => T | undefined): Promise<T | undefined> {
    await this.#options.catalogLoaded;
    const isEnough = () => find() !== undefined || this.#coming().length === 0;
    if (!isEnough()) await this.#listed(isEnough, NAMED_LISTING_MS);
    return find();
  }

  /**
   * The same for one tool: once it is known, what other servers have does not matter. A name that
   * says which server it means starts that one, whatever is in line before it.
   */
  async ofTool(name: string): Promise<void> {
    const { catalogLoaded, pool } = this.#options;
    await catalogLoaded;
    if (isCapability(name as ToolId)) return;
    const isKnown = () => this.#view.tools.find(name) !== undefined;
    if (isKnown()) return;
    const server = this.unlistedServer(name);
    if (!server) return this.#listed(() => isKnown() || this.awaited.length === 0);
    // Why it failed is in its status, which `explainMissing` reads.
    await pool
      .get(server)
      .refresh()
      .catch(() => {});
  }

  /**
   * The server a qualified tool name means, when we have no lists of it, or blocked the tool by an
   * earlier list: the server may have gone back to what was approved.
   */
  unlistedServer(name: string): ServerName | undefined {
    const { pool } = this.#options;
    const isMeant = (server: ServerName) =>
      pool.has(server) && (name.startsWith(`${server}__`) || name.startsWith(`${server}:`));
    return this.#view.unlisted.find(isMeant) ?? this.#blockedBefore(name, isMeant);
  }

  /** Servers that have not shown their lists yet and may still do so soon. */
  get awaited(): readonly ServerName[] {
    return this.#coming().filter((name) => !this.#options.pool.get(name).isSlow);
  }

  get #view(): View {
    return this.#options.view();
  }

  /** Servers that have not shown their lists and have not failed. */
  #coming(): readonly ServerName[] {
    const { pool } = this.#options;
    return this.#view.unlisted.filter(
      (name) => pool.has(name) && pool.get(name).status.lastError === undefined,
    );
  }

  #blockedBefore(name: string, isMeant: (server: ServerName) => boolean): ServerName | undefined {
    const { catalog, pool } = this.#options;
    return this.#view.servers.find(
      (server) =>
        isMeant(server) &&
        !pool.get(server).isListed &&
        catalog
          .toolsOf(server)
          .some(({ status, definition }) => status === 'blocked' && name.endsWith(definition.name)),
    );
  }

  /** Resolves when there is enough, or when the time for it is over. */
  async #listed(isEnough: () => boolean, patienceMs?: number): Promise<void> {
    const { catalog, catalogLoaded } = this.#options;
    await catalogLoaded;
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
      const stop = catalog.onChange(look);
    });
  }
}
