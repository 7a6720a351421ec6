export { answerTokens, discover, type DiscoverAnswer } from './answer/discover.js';
export type { DiscoverContext, DiscoverRequest } from './answer/find-candidates.js';
export {
  Discovery,
  type DiscoveryOptions,
  type DiscoveryStatus,
  type DiscoveryStores,
  type MadeDecision,
  type Prospects,
  type Ranking,
} from './discovery.js';
export { type ReadTraceOptions, readTraces, type TraceRows } from './read-traces.js';
export type { Searchable } from './semantic-index.js';
export { signalsOf } from './signals-of.js';
export { extendTrail, NO_TRAIL, type Shown, type Trail } from './trail.js';
export type { EmbedderState, LoadableEmbedder } from './vector-source.js';
export { withPatience } from './with-patience.js';
