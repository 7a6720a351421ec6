export { graphOf } from './graph-of.js';
export type { CapabilityShape, ShapedCapability } from './capability-shape.js';
export { EDGE_WEIGHTS, type EdgeSource, type EdgeWeights } from './edge-weight.js';
export {
  type GraphEdge,
  type GraphNode,
  KnowledgeGraph,
  type NodeKind,
} from './knowledge-graph.js';
