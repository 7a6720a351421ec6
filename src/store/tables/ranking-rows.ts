import type { Selectable } from 'kysely';

import type {
  AlgorithmTrace,
  JsonObject,
  RankingModel,
  RunId,
  ScoredCandidate,
  ToolId,
} from '../../core/index.js';
import type { Tables } from '../schema.js';
import { storable } from './storable-text.js';

export type DecisionRow = Selectable<Tables['algorithm_trace']>;
export type ModelRow = Selectable<Tables['ranking_model']>;

export function decisionSize({ intent, candidates }: AlgorithmTrace): number {
  return 500 + intent.length + 300 * candidates.length;
}

export function decisionColumns(traces: readonly AlgorithmTrace[]) {
  return {
    id: traces.map(({ id }) => storable(id)),
    at: traces.map(({ at }) => at.toISOString()),
    algorithm: traces.map(({ algorithm }) => algorithm),
    intent: traces.map(({ intent }) => storable(intent)),
    model: traces.map(({ model }) => storable(model)),
    weights: traces.map(({ weights }) => JSON.stringify(weights)),
    candidates: traces.map(({ candidates }) => JSON.stringify(candidates)),
    shown: traces.map(({ shown }) => shown),
    outcomeTool: traces.map(({ outcome }) =>
      outcome === undefined ? null : storable(outcome.tool),
    ),
    outcomePlace: traces.map(({ outcome }) => outcome?.place ?? null),
    outcomeOk: traces.map(({ outcome }) => outcome?.ok ?? null),
    outcomeMatch: traces.map(({ outcome }) => outcome?.match ?? null),
    outcomeRun: traces.map(({ outcome }) => outcome?.run ?? null),
    confidence: traces.map(({ verdict }) => verdict?.confidence ?? null),
    threshold: traces.map(({ verdict }) => verdict?.threshold ?? null),
    mode: traces.map(({ verdict }) => verdict?.mode ?? null),
  };
}

export function modelRow(model: RankingModel): Tables['ranking_model'] {
  return {
    id: storable(model.id),
    at: model.at,
    parameters: JSON.stringify(model.parameters),
    metric: JSON.stringify(model.metric),
    status: model.status,
  };
}

export function toDecision(row: DecisionRow): AlgorithmTrace {
  const { id, at, algorithm, intent, model, shown } = row;
  return {
    id,
    at,
    algorithm,
    intent,
    model,
    weights: JSON.parse(row.weights) as Record<string, number>,
    candidates: JSON.parse(row.candidates) as ScoredCandidate[],
    shown,
    ...verdictOf(row),
    ...outcomeOf(row),
  };
}

function verdictOf({ confidence, threshold, mode }: DecisionRow) {
  if (confidence === null || threshold === null || mode === null) return {};
  return { verdict: { confidence, threshold, mode } };
}

function outcomeOf(row: DecisionRow) {
  const { outcome_tool, outcome_place, outcome_ok, outcome_match, outcome_run } = row;
  if (outcome_tool === null || outcome_place === null || outcome_ok === null) return {};
  return {
    outcome: {
      tool: outcome_tool as ToolId,
      place: outcome_place,
      ok: outcome_ok,
      ...(outcome_match !== null && { match: outcome_match }),
      ...(outcome_run !== null && { run: outcome_run as RunId }),
    },
  };
}

export function toModel({ id, at, parameters, metric, status }: ModelRow): RankingModel {
  return {
    id,
    at,
    parameters: JSON.parse(parameters) as JsonObject,
    metric: JSON.parse(metric) as JsonObject,
    status,
  };
}
