import type { JsonObject, ToolId } from '../core/index.js';

/** What planning needs to know of a tool. */
export interface PlannableTool {
  readonly id: ToolId;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /**
   * Of a capability: how many of its uses succeeded. As far as PML knows, all of them had the default
   * values of the schema. A value that a request named is an example in the schema, not a default.
   */
  readonly provenBy?: number;
  /** Of a capability: the requests that it served. Its examples come from their words. */
  readonly served?: readonly string[];
  /** What its results look like: as its server says, or as past results were seen to be. */
  readonly output?: { readonly schema: JsonObject; readonly source: 'declared' | 'observed' };
}
