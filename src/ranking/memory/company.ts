import { parseToolId, type ServerName, type ToolId } from '../../core/index.js';

/** How often tools were used, and with which others. */
export interface CompanyCounts {
  /** In how many requests the tool was used. */
  uses(tool: ToolId): number;
  /** In how many requests any tool of the server was used. */
  serverUses(server: ServerName): number;
  /** In how many of them with each other tool. */
  companions(tool: ToolId): Iterable<readonly [ToolId, number]>;
}

export class Company implements CompanyCounts {
  readonly #uses = new Map<ToolId, number>();
  readonly #serverUses = new Map<ServerName, number>();
  readonly #together = new Map<ToolId, Map<ToolId, number>>();

  add(tools: readonly ToolId[]): void {
    this.#count(tools, 1);
  }

  remove(tools: readonly ToolId[]): void {
    this.#count(tools, -1);
  }

  uses(tool: ToolId): number {
    return this.#uses.get(tool) ?? 0;
  }

  serverUses(server: ServerName): number {
    return this.#serverUses.get(server) ?? 0;
  }

  companions(tool: ToolId): Iterable<readonly [ToolId, number]> {
    return this.#together.get(tool) ?? [];
  }

  /** The counts as if some requests had never been. */
  without(requests: readonly (readonly ToolId[])[]): CompanyCounts {
    if (requests.length === 0) return this;
    const other = new Company();
    for (const tools of requests) other.add(tools);
    return {
      uses: (tool) => this.uses(tool) - other.uses(tool),
      serverUses: (server) => this.serverUses(server) - other.serverUses(server),
      companions: (tool) => {
        const less = new Map(other.companions(tool));
        return Array.from(
          this.companions(tool),
          ([one, count]) => [one, count - (less.get(one) ?? 0)] as const,
        ).filter(([, count]) => count > 0);
      },
    };
  }

  #count(tools: readonly ToolId[], by: 1 | -1): void {
    for (const server of serversOf(tools)) bump(this.#serverUses, server, by);
    for (const tool of tools) {
      bump(this.#uses, tool, by);
      const row = this.#together.get(tool) ?? new Map<ToolId, number>();
      for (const other of tools) if (other !== tool) bump(row, other, by);
      if (row.size > 0) this.#together.set(tool, row);
      else this.#together.delete(tool);
    }
  }
}

/** The servers of tools, each once. */
export function serversOf(tools: readonly ToolId[]): ReadonlySet<ServerName> {
  return new Set(tools.map((tool) => parseToolId(tool).server));
}

function bump<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
