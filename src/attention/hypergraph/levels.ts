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
  /** Capabilities by the nodes that their code is about. */
  readonly #above = new Map<ToolId, readonly ToolId[]>();

  constructor(capabilities: Iterable<LevelNode> = []) {
    for (const { id, inside } of capabilities) {
      this.#inside.set(id, inside);
      for (const node of inside.anchors.about) {
        this.#above.set(node, [...(this.#above.get(node) ?? []), id]);
      }
    }
  }

  /** What the code of a capability calls; nothing for a tool. */
  inside(node: ToolId): readonly ToolId[] {
    return this.#inside.get(node)?.tools ?? [];
  }

  /** The nodes one level down: what the code of a capability is about. */
  below(node: ToolId): readonly ToolId[] {
    return this.#inside.get(node)?.anchors.about ?? [];
  }

  /** The nodes one level up: capabilities whose code is about the node. */
  above(node: ToolId): readonly ToolId[] {
    return this.#above.get(node) ?? [];
  }
}
