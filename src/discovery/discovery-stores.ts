import type { EmbeddingStore, ExperienceStore, RankingStore } from '../core/index.js';

/** What of the store discovery reads and writes. */
export interface DiscoveryStores {
  readonly embeddings: EmbeddingStore;
  readonly experience: ExperienceStore;
  readonly ranking: RankingStore;
}
