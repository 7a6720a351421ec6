/** Answers of `speculate`, through the predictor that the daemon has. */
import type { ToolId } from '../../src/core/index.js';
import {
  type CallPredictorPorts,
  createCallPredictor,
  type LearningCallPredictor,
} from '../../src/speculation/index.js';
import { CallModel, type CallModelOptions } from '../../src/speculation/predict/call-model.js';
import { SHIPPED_CONFIDENCE } from '../../src/speculation/predict/confidence.js';
import {
  learnCallConfidence,
  type RecordedSession,
} from '../../src/speculation/predict/recorded-session.js';
import { nameIn } from './plan-answers.js';
import type { AskedMoment } from './recorded-calls.js';
import type { ToolSet } from './tool-set.js';

export interface ReadyPredictorOptions {
  readonly toolSet: ToolSet;
  readonly sessions: readonly RecordedSession[];
  readonly model?: CallModelOptions;
  readonly ports?: Partial<CallPredictorPorts>;
  /** Default: fitted to the sessions, parted by task. */
  readonly confidence?: Float64Array;
}

const FOLDS = 3;

/** The weights of the confidence that memory alone tells. */
export function confidenceOf(
  sessions: readonly RecordedSession[],
  model: CallModelOptions = {},
): Float64Array {
  const create = () => new CallModel(model);
  return learnCallConfidence(sessions, { create, folds: FOLDS, prior: SHIPPED_CONFIDENCE });
}

/** A predictor that has seen the sessions. */
export function readyPredictor(options: ReadyPredictorOptions): LearningCallPredictor {
  const { toolSet, sessions, model, ports } = options;
  const confidence = options.confidence ?? confidenceOf(sessions, model);
  const predictor = createCallPredictor(
    { toolOf: (id: ToolId) => toolSet.tools.get(id)?.definition, ...ports },
    { ...model, confidence },
  );
  for (const session of sessions) predictor.replay(session);
  return predictor;
}

export async function callAnswer(
  { id, situation }: AskedMoment,
  predictor: LearningCallPredictor,
  toolSet: ToolSet,
): Promise<object> {
  const predicted = await predictor.predict(situation);
  const proposals = predicted.map(({ tool, args, confidence }) => {
    return { tool: nameIn(toolSet, tool), args, confidence };
  });
  return { id, proposals };
}
