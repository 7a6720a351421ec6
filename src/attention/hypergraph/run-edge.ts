import type { ToolId } from '../../core/index.js';

/** The questions that heads ask about a request. In this order. */
export const HEAD_NAMES = ['about', 'begins', 'ends'] as const;
export type HeadName = (typeof HEAD_NAMES)[number];

/** An execution, or the code of a capability, as an edge over all tools that it called. */
export interface RunEdge {
  /** Each once. A capability that was called as one step is a node like a tool. */
  readonly tools: readonly ToolId[];
  /** For each head the tools that would have been its right answer. */
  readonly anchors: Readonly<Record<HeadName, readonly ToolId[]>>;
}

/** What is known of a run: its tools in order, and which gave a value to another. */
export interface RunShape {
  readonly tools: readonly ToolId[];
  readonly givers: ReadonlySet<ToolId>;
}

/** A run is about the tools whose values go to no other step. */
export function runEdge({ tools, givers }: RunShape): RunEdge {
  const about = tools.filter((tool) => !givers.has(tool));
  return {
    tools,
    anchors: {
      // Values that go round in a circle leave no such tool.
      about: about.length > 0 ? about : tools,
      begins: tools.slice(0, 1),
      ends: tools.slice(-1),
    },
  };
}
