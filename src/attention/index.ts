export { ANCHOR_SIGNALS } from './heads/attend.js';
export { fitHead, type HeadPrior } from './heads/fit-head.js';
export { type AttentionModel, type HeadView, lookWith } from './heads/heads.js';
export { companyOf, type FindAlike, type Lenders } from './heads/votes.js';
export { Hypergraph, type Incidence } from './hypergraph/hypergraph.js';
export { type LevelNode, Levels } from './hypergraph/levels.js';
export { HEAD_NAMES, type HeadName, type RunEdge, runEdge } from './hypergraph/run-edge.js';
