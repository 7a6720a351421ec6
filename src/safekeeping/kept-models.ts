import {
  type JsonObject,
  type Logger,
  messageOf,
  type RankingModel,
  type RankingStore,
} from '../core/index.js';
import type { SyncedFile } from './synced-file.js';

interface KeptOptions {
  readonly file: Pick<SyncedFile, 'read' | 'write'>;
  readonly ranking: RankingStore;
  readonly log: Logger;
}

/** As many as a learner looks at. */
const MOST_MODELS = 20;

/** Learned models of ranking, also in a synced file: a store that was lost gets them back. */
export function keptModels({ file, ranking, log }: KeptOptions): RankingStore {
  const write = async () => {
    const models = await ranking.models({ limit: MOST_MODELS });
    await file.write(models.map(toJson));
  };
  const attempt = (doing: string, work: () => Promise<void>) =>
    work().catch((error: unknown) => log.warn(doing, { error: messageOf(error) }));

  async function restore(): Promise<void> {
    const kept = await file.read();
    if (!Array.isArray(kept)) return write();
    const models = kept.map(fromJson);
    // Oldest first: the one saved last as active is the one in use.
    for (const model of models.toReversed()) await ranking.saveModel(model);
    if (models.length > 0) log.info('learned models restored', { models: models.length });
  }

  return {
    ...ranking,
    async models(options) {
      const stored = await ranking.models(options);
      if (stored.length > 0) return stored;
      await attempt('learned models not restored', restore);
      return ranking.models(options);
    },
    async saveModel(model) {
      await ranking.saveModel(model);
      await attempt('learned models not kept outside the store', write);
    },
  };
}

function toJson({ at, ...model }: RankingModel): JsonObject {
  return { ...model, at: at.toISOString() };
}

/** Of our own writing: only the date has to be read. */
function fromJson(row: JsonObject): RankingModel {
  return { ...(row as unknown as RankingModel), at: new Date(row['at'] as string) };
}
