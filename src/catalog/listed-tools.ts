import type { CatalogTool, ServerName, ToolId } from '../core/index.js';

/** Tools as their servers list them, by id and by server, in the order they were first listed. */
export class ListedTools {
  readonly #byId = new Map<ToolId, CatalogTool>();
  readonly #byServer = new Map<ServerName, Map<ToolId, CatalogTool>>();

  get(id: ToolId): CatalogTool | undefined {
    return this.#byId.get(id);
  }

  set(tool: CatalogTool): void {
    this.#byId.set(tool.id, tool);
    const others = this.#byServer.get(tool.server);
    if (others) others.set(tool.id, tool);
    else this.#byServer.set(tool.server, new Map([[tool.id, tool]]));
  }

  values(): Iterable<CatalogTool> {
    return this.#byId.values();
  }

  ofServer(server: ServerName): readonly CatalogTool[] {
    return [...(this.#byServer.get(server)?.values() ?? [])];
  }

  removeServer(server: ServerName): void {
    for (const id of this.#byServer.get(server)?.keys() ?? []) this.#byId.delete(id);
    this.#byServer.delete(server);
  }
}
