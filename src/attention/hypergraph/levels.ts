import type { ToolId } from '../../core/index.js';
import type { RunEdge } from './run-edge.js';

/** A capability: a node above what it calls and below what calls it. */
export interface LevelNode {
  readonly id: ToolId;
  /** What its code calls. */
  readonly inside: RunEdge;
}

/** How capabilities lie over tools and over each other. */
export class Levels {
  readonly #inside = new Map<ToolId, RunEdge>();
  readonly #above = new Map<ToolId, readonly ToolId[]>();

  constructor(capabilities: Iterable<LevelNode> = []) {
    for (const { id, inside } of capabilities) {
      this.#inside.set(id, inside);
      for (const tool of inside.tools) {
        this.#above.set(tool, [...(this.#above.get(tool) ?? []), id]);
      }
    }
  }

  /** 0 for a tool; a capability is one above the highest that it calls. */
  levelOf(node: ToolId, seen: ReadonlySet<ToolId> = new Set()): number {
    const inside = this.#inside.get(node);
    // A capability that calls itself, over others or not, does not lie above itself.
    if (!inside || seen.has(node)) return 0;
    const path = new Set([...seen, node]);
    return 1 + Math.max(0, ...inside.tools.map((tool) => this.levelOf(tool, path)));
  }

  /** What the code of a capability calls; nothing for a tool. */
  inside(node: ToolId): readonly ToolId[] {
    return this.#inside.get(node)?.tools ?? [];
  }

  /**
   * The nodes that stand for the same work one level up or down: a capability and the tools that its
   * code is about. A run about one of them tells what comes with the other.
   */
  kin(node: ToolId): readonly ToolId[] {
    const below = this.#inside.get(node)?.anchors.about ?? [];
    const above = (this.#above.get(node) ?? []).filter((capability) =>
      this.#inside.get(capability)?.anchors.about.includes(node),
    );
    return [...below, ...above];
  }
}
