import type { VectorsStatus } from './learn/vectors-status.js';
import type { EmbedderState } from './meaning/vector-source.js';

/** How far search by meaning has come, and what the ranking is weighed with. */
export interface DiscoveryStatus {
  /** Missing when no model is configured. */
  readonly space?: string;
  readonly state: EmbedderState | { readonly state: 'none' };
  readonly tools: number;
  readonly withVectors: number;
  /** Vectors still to be made. */
  readonly waiting: number;
  readonly remembered: number;
  /** Texts embedded in the background since the start. */
  readonly made: { readonly texts: number; readonly ms: number };
  readonly ranking: {
    readonly kind: string;
    readonly metric: object;
    readonly weights: Readonly<Record<string, number>>;
  };
  /** Vectors of tools that were learned from past requests. */
  readonly vectors: VectorsStatus;
  /** It learns in the background now. */
  readonly isLearning?: true;
  readonly error?: string;
}
