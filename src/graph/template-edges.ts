import { type EdgeType, isCapability, type ToolId } from '../core/index.js';
import type { CapabilityShape } from './capability-shape.js';
import { edgeKey } from './delta-counts.js';

export interface TemplateEdge {
  readonly key: string;
  readonly from: ToolId;
  readonly to: ToolId;
  readonly type: EdgeType;
}

/** What the code of capabilities says of how tools belong together, whether or not it was seen. */
export function templateEdges(shapes: readonly CapabilityShape[]): readonly TemplateEdge[] {
  const found = new Map<string, TemplateEdge>();
  const add = (from: ToolId, to: ToolId, type: EdgeType) => {
    const key = edgeKey(from, to, type);
    if (from !== to) found.set(key, { key, from, to, type });
  };
  for (const { id, calls, flows } of shapes) {
    for (const call of calls) add(id, call, 'contains');
    for (const [giver, taker] of flows) {
      const [from, to] = [calls[giver] as ToolId, calls[taker] as ToolId];
      add(from, to, isCapability(from) ? 'dependency' : 'provides');
    }
  }
  return [...found.values()];
}
