import type { ToolId } from '../../core/index.js';
import { Numbers } from './numbers.js';

/**
 * The lists of tools that served requests. Requests by the thousand were served by the same few, so
 * each list is held once and looked at once, by its number.
 */
export class ToolLists {
  readonly #lists = new Numbers();
  readonly #tools = new Numbers();
  readonly #toolAt: ToolId[] = [];
  readonly #listAt: (readonly ToolId[])[] = [];
  /** The tools of each list by their numbers. */
  readonly #members: (readonly number[])[] = [];

  /** All numbers of lists are below it. */
  get bound(): number {
    return this.#lists.bound;
  }

  /** Has to be let go of as often as it is taken. */
  take(tools: readonly ToolId[]): number {
    const before = this.#lists.size;
    const list = this.#lists.take(keyOf(tools));
    if (this.#lists.size === before) return list;
    this.#listAt[list] = tools;
    this.#members[list] = tools.map((tool) => {
      const number = this.#tools.take(tool);
      this.#toolAt[number] = tool;
      return number;
    });
    return list;
  }

  letGo(list: number): void {
    const tools = this.toolsOf(list);
    if (!this.#lists.letGo(keyOf(tools))) return;
    for (const tool of tools) this.#tools.letGo(tool);
    this.#listAt[list] = [];
    this.#members[list] = [];
  }

  /** The same array for the same tools. */
  toolsOf(list: number): readonly ToolId[] {
    return this.#listAt[list]!;
  }

  /** The best value of the lists each tool is in, given one for each list; 0 is nothing. */
  bestByTool(values: Float64Array): Map<ToolId, number> {
    const best = new Float64Array(this.#tools.bound);
    for (let list = 0; list < values.length; list++) {
      const value = values[list]!;
      if (value === 0) continue;
      for (const tool of this.#members[list]!) if (value > best[tool]!) best[tool] = value;
    }
    const found = new Map<ToolId, number>();
    for (let tool = 0; tool < best.length; tool++) {
      if (best[tool]! > 0) found.set(this.#toolAt[tool]!, best[tool]!);
    }
    return found;
  }
}

function keyOf(tools: readonly ToolId[]): string {
  return tools.join('\n');
}
