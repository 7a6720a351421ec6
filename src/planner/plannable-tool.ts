import type { JsonObject, ToolId } from '../core/index.js';

/** What planning needs to know of a tool. */
export interface PlannableTool {
  readonly id: ToolId;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** What its results look like: as its server says, or as past results were seen to be. */
  readonly output?: { readonly schema: JsonObject; readonly source: 'declared' | 'observed' };
}
