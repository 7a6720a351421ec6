import type { ToolId } from '../../core/index.js';
import type { Neighbour, VectorIndex } from '../../search/index.js';

/** Tools that are less alike have nothing in common that counts. */
const MOST_NEAR = 40;
/** Of those that are accepted: the others are less alike than these. */
const MOST_ACCEPTED = 13;
/** More would take too much memory. */
const MOST_KEPT = 2_000;

/** The tools nearest to a tool in meaning. Kept until a vector changes. */
export class NearTools {
  readonly #tools: VectorIndex<ToolId>;
  readonly #kept = new Map<ToolId, readonly Neighbour<ToolId>[]>();

  constructor(tools: VectorIndex<ToolId>) {
    this.#tools = tools;
  }

  /** The nearest of the accepted tools, with how alike they are. */
  among(
    tool: ToolId,
    accepts: (other: ToolId) => boolean,
  ): readonly (readonly [tool: ToolId, likeness: number])[] {
    const accepted: (readonly [tool: ToolId, likeness: number])[] = [];
    for (const { key, similarity } of this.of(tool)) {
      if (accepted.length >= MOST_ACCEPTED) break;
      if (accepts(key)) accepted.push([key, similarity]);
    }
    return accepted;
  }

  /** Nearest first, the tool itself among them; none while its vector is not there. */
  of(tool: ToolId): readonly Neighbour<ToolId>[] {
    const known = this.#kept.get(tool);
    if (known) return known;
    const vector = this.#tools.get(tool);
    if (!vector) return [];
    const near = this.#tools.nearest(vector, MOST_NEAR);
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(tool, near);
    return near;
  }

  /** Called when a vector came, changed or went. */
  clear(): void {
    this.#kept.clear();
  }
}
