import type { ToolId } from '../../core/index.js';

export interface PlanLink {
  readonly from: ToolId;
  readonly to: ToolId;
  /** That both are wanted and the second takes a value of the first. */
  readonly probability: number;
}
