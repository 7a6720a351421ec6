import { type CatalogTool, nameParts, type ToolId } from '../../core/index.js';

/** `readFile`, `read_file`, `Read file` are one name to a reader. */
function nameKey(text: string): string {
  return nameParts(text).join(' ');
}

/** Finds tools by what they are called, with or without their server, however it is spelt. */
export class NameLookup {
  readonly #tools = new Map<string, Set<ToolId>>();

  add(tool: CatalogTool): void {
    for (const key of keysOf(tool)) {
      const ids = this.#tools.get(key) ?? new Set();
      this.#tools.set(key, ids.add(tool.id));
    }
  }

  remove(tool: CatalogTool): void {
    for (const key of keysOf(tool)) {
      const ids = this.#tools.get(key);
      ids?.delete(tool.id);
      if (ids?.size === 0) this.#tools.delete(key);
    }
  }

  find(text: string): Iterable<ToolId> {
    return this.#tools.get(nameKey(text)) ?? [];
  }
}

function keysOf({ id, definition }: CatalogTool): ReadonlySet<string> {
  return new Set([nameKey(id), nameKey(definition.name)]);
}
