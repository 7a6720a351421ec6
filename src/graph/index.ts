export { type CapabilityShape, type Link, type ShapedCapability } from './capability-shape.js';
export { type ContractedOptions, type ContractedPath, ContractedPaths } from './contracted-path.js';
export { type Cover, coverByCapabilities, type PlannedCall } from './cover-by-capabilities.js';
export { diffuseHeat, type HeatDecay, type HeatOptions } from './diffuse-heat.js';
export type { EdgeSource, EdgeWeights } from './edge-weight.js';
export { GraphMetrics, type GraphMetricsOptions } from './graph-metrics.js';
export { graphOf } from './graph-of.js';
export {
  callsInside,
  cheapestHyperpath,
  type Hyperedge,
  hyperedgesOf,
  type Hyperpath,
  neededWhole,
} from './hyperpath.js';
export {
  type GraphEdge,
  type GraphModel,
  type GraphNode,
  KnowledgeGraph,
  type NodeKind,
} from './knowledge-graph.js';
export { areInOneCommunity, computeMetrics, importanceOf, type Metrics } from './metrics.js';
export { NeighbourIndex, type Way, type Ways, waysOf } from './neighbour-index.js';
export {
  cooccurrenceOf,
  recencyOf,
  reliabilityOf,
  transitiveReliability,
} from './score-signals.js';
export { nextStepScore, type NextStepSignals } from './scores.js';
export { SessionGraph } from './session-graph.js';
export { connection, type Ends, type Path, strongestPath } from './shortest-path.js';
export { spectralClusters, type SpectralOptions } from './spectral-clusters.js';
