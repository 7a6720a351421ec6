import {
  isJsonObject,
  type JsonObject,
  type ServerName,
  type ToolResult,
} from '../../core/index.js';
import { UI_SCHEME } from './tool-ui.js';

/** An address of a user interface, and the server that has it. */
export interface UiPlace {
  readonly server: ServerName;
  readonly uri: string;
}

/**
 * Addresses of user interfaces as clients see them. They are unchanged, but for one that an earlier
 * server has as well: that becomes `ui://<server>/…`, because clients know a user interface by `ui://`.
 */
export class UiAddresses {
  readonly #owners = new Map<string, UiPlace>();
  /** By server: its own address to what clients see. */
  readonly #renamed = new Map<ServerName, Map<string, string>>();

  constructor(places: readonly UiPlace[]) {
    const own = new Set(places.map(({ uri }) => uri));
    for (const place of places) {
      const owner = this.#owners.get(place.uri);
      if (!owner) this.#owners.set(place.uri, place);
      else if (owner.server !== place.server) this.#rename(place, own);
    }
  }

  /** The server behind an address that a client names, and what the server calls it. */
  find(uri: string): UiPlace | undefined {
    return this.#owners.get(uri);
  }

  /** What clients see instead of an address of a server. */
  exposed(server: ServerName, uri: string): string {
    return this.#renamed.get(server)?.get(uri) ?? uri;
  }

  hasRenamed(server: ServerName): boolean {
    return this.#renamed.has(server);
  }

  /** The metadata of a tool or a result, with the address that clients see. */
  exposeMeta(server: ServerName, meta: JsonObject): JsonObject {
    const { ui } = meta;
    const flat = meta['ui/resourceUri'];
    const uri = isJsonObject(ui) ? ui['resourceUri'] : undefined;
    return {
      ...meta,
      ...(isJsonObject(ui) &&
        typeof uri === 'string' && { ui: { ...ui, resourceUri: this.exposed(server, uri) } }),
      ...(typeof flat === 'string' && { 'ui/resourceUri': this.exposed(server, flat) }),
    };
  }

  /** A result whose links and resources lead to the server that gave it. */
  exposeResult(server: ServerName, result: ToolResult): ToolResult {
    const { content, _meta: meta } = result;
    // A question of the server has no content.
    if (!this.#renamed.has(server) || !Array.isArray(content)) return result;
    return {
      ...result,
      content: content.map((block) => this.#exposeBlock(server, block)),
      ...(meta && { _meta: this.exposeMeta(server, meta) }),
    };
  }

  #exposeBlock(server: ServerName, block: JsonObject): JsonObject {
    const { uri, resource } = block;
    if (isJsonObject(resource) && typeof resource['uri'] === 'string') {
      return { ...block, resource: { ...resource, uri: this.exposed(server, resource['uri']) } };
    }
    return typeof uri === 'string' ? { ...block, uri: this.exposed(server, uri) } : block;
  }

  #rename({ server, uri }: UiPlace, own: ReadonlySet<string>): void {
    const renamed = this.#renamed.get(server) ?? new Map<string, string>();
    this.#renamed.set(server, renamed);
    if (renamed.has(uri)) return;
    let name = `${UI_SCHEME}${server}/${uri.slice(UI_SCHEME.length)}`;
    while (own.has(name) || this.#owners.has(name)) name = `${name}_`;
    renamed.set(uri, name);
    this.#owners.set(name, { server, uri });
  }
}
