export { type Attended } from './heads/attend.js';
export { fitHead, type HeadPrior } from './heads/fit-head.js';
export { type AttentionModel, type HeadView, lookWith } from './heads/heads.js';
export { type Alike, companyOf, type FindAlike } from './heads/votes.js';
export { Hypergraph, type Incidence } from './hypergraph/hypergraph.js';
export { HEAD_NAMES, type HeadName, type RunEdge, runEdge } from './hypergraph/run-edge.js';
