import type { RankedTool, SimilarIntent } from '../ranking/index.js';
import type { ToolFilter } from '../search/index.js';
import type { Trail } from './decisions/trail.js';
import type { Experience } from './past/experience.js';

export interface WeighOptions {
  readonly filter?: ToolFilter;
  /** Of the client that asks: what it called just before counts too. */
  readonly trail?: Trail;
  /** The memory to answer from. Default: the user's. */
  readonly past?: Experience;
}

/** What speaks for which tools. */
export interface WeighedTools {
  /** Best first. */
  readonly tools: readonly RankedTool[];
  /** Past requests that are like it, most alike first, by the ids of their executions. */
  readonly similar: readonly SimilarIntent[];
  /** How far the nearest of them can be trusted to want the same, from 0 to 1. */
  readonly trust: number;
  /** Whether meaning was compared, or words alone. */
  readonly byMeaning: boolean;
}

/** Weighed tools that a client is going to be shown: a decision, which is recorded. */
export interface Ranking extends WeighedTools {
  /** Of the decision, for `Trail`. */
  readonly id: string;
  /** Of the model that weighed it. */
  readonly model: string;
  /** How many of the tools are going to be shown. */
  readonly shown: number;
}
