import type { ToolId } from '../core/index.js';

/** A request as the ranking sees it. Vectors are missing while no model is loaded. */
export interface Question {
  readonly text: string;
  readonly vector?: Float32Array;
  /** Its separate needs; empty when it is one. */
  readonly needs: readonly Need[];
  /** What worked of what the client called just before it asked, newest last. Default: nothing. */
  readonly called?: readonly ToolId[];
}

export interface Need {
  readonly text: string;
  readonly vector?: Float32Array;
}

/** A request of the past and the tools that served it. */
export interface PastIntent extends Question {
  readonly id: string;
  /** Requests of one group must not judge each other. */
  readonly group: string;
  /** Without repetitions. */
  readonly tools: readonly ToolId[];
}
