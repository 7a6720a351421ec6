import type { ExecutionTrace, ToolId } from '../core/index.js';

/** What a tool has to do with the calls a client just made. All in [0, 1]. */
export interface SessionSignals {
  /** What it has in common with them, as far as enough is known of it to count against meaning. */
  readonly related?: number;
  /** That it comes after the last of them. */
  readonly next?: number;
  /** Of a capability: the share of its tools that were called, more where they belong together. */
  readonly overlap?: number;
  /** Of a capability: its likeness, as far as it and all it is made of can be relied on. */
  readonly capability?: number;
}

/** What is known of tools while a client works. */
export interface SessionView {
  /** Tools that go with the calls, strongest first, whatever is asked for. */
  readonly tools: readonly ToolId[];
  /** Of a tool whose meaning is so like what is asked for, from 0 to 1. */
  of(tool: ToolId, likeness: number): SessionSignals;
}

/** How tools go with each other, by what was executed. */
export interface SessionKnowledge {
  /** With the calls that were made and worked, newest last. */
  view(called: readonly ToolId[]): SessionView;
  /** What some executions alone tell. */
  without(
    isLeftOut: (trace: ExecutionTrace) => boolean,
    options: { readonly traces: Iterable<ExecutionTrace>; readonly pause: () => Promise<void> },
  ): Promise<SessionKnowledge>;
}
