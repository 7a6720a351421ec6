export type { CapabilityShape, Link, ShapedCapability } from './capability-shape.js';
export { GraphMetrics, type GraphMetricsOptions } from './clusters/graph-metrics.js';
export { computeMetrics, importanceOf, type Metrics } from './clusters/metrics.js';
export { spectralClusters, type SpectralOptions } from './clusters/spectral-clusters.js';
export { type Cover, coverByCapabilities, type PlannedCall } from './cover-by-capabilities.js';
export type { EdgeSource, EdgeWeights } from './edge-weight.js';
export { graphOf } from './graph-of.js';
export {
  type GraphEdge,
  type GraphModel,
  type GraphNode,
  KnowledgeGraph,
  type NodeKind,
} from './knowledge-graph.js';
export { LiveGraph } from './live/live-graph.js';
export {
  type ContractedOptions,
  type ContractedPath,
  ContractedPaths,
} from './paths/contracted-path.js';
export {
  callsInside,
  cheapestHyperpath,
  type Hyperedge,
  hyperedgesOf,
  type Hyperpath,
  neededWhole,
} from './paths/hyperpath.js';
export { NeighbourIndex, type EdgeWay, type Ways, waysOf } from './paths/neighbour-index.js';
export { connection, type PathEnds, type Path, strongestPath } from './paths/shortest-path.js';
export { diffuseHeat, type HeatDecay, type HeatOptions } from './scores/diffuse-heat.js';
export { reliabilityOf, transitiveReliability } from './scores/score-signals.js';
export { SessionGraph } from './session-graph.js';
