import type { Selectable } from 'kysely';

import type { Episode, StoredThreshold, ToolId } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { storable } from './storable-text.js';

export type EpisodeRow = Selectable<Tables['episode']>;
type ThresholdRow = Selectable<Tables['threshold']>;

export function episodeSize({ intent, last }: Episode): number {
  return 300 + intent.length + 60 * last.length;
}

export function episodeColumns(episodes: readonly Episode[]) {
  return {
    id: episodes.map(({ id }) => storable(id)),
    at: episodes.map(({ at }) => at.toISOString()),
    rung: episodes.map(({ rung }) => rung),
    client: episodes.map(({ client }) => storable(client)),
    intent: episodes.map(({ intent }) => storable(intent)),
    last: episodes.map(({ last }) => JSON.stringify(last)),
    predicted: episodes.map(({ predicted }) => storable(predicted)),
    confidence: episodes.map(({ confidence }) => confidence),
    claimed: episodes.map(({ claimed }) => claimed ?? null),
    threshold: episodes.map(({ threshold }) => threshold),
    wasDone: episodes.map(({ wasDone }) => wasDone),
    outcome: episodes.map(({ outcome }) => outcome),
    actual: episodes.map(({ actual }) => (actual === undefined ? null : storable(actual))),
    savedMs: episodes.map(({ savedMs }) => savedMs),
    wastedMs: episodes.map(({ wastedMs }) => wastedMs),
  };
}

export function toEpisode(row: EpisodeRow): Episode {
  const { id, at, rung, client, intent, confidence, claimed, threshold, outcome, actual } = row;
  return {
    id,
    at,
    rung,
    client,
    intent,
    last: JSON.parse(row.last) as ToolId[],
    predicted: row.predicted as ToolId,
    confidence,
    ...(claimed !== null && { claimed }),
    threshold,
    wasDone: row.was_done,
    outcome,
    ...(actual !== null && { actual: actual as ToolId }),
    savedMs: row.saved_ms,
    wastedMs: row.wasted_ms,
  };
}

export function thresholdRow({ rung, kind, value, isOff, why, at }: StoredThreshold): ThresholdRow {
  return { rung, kind: storable(kind), value, is_off: isOff, why: storable(why), at };
}

export function toThreshold({ is_off: isOff, ...rest }: ThresholdRow): StoredThreshold {
  return { ...rest, isOff };
}
