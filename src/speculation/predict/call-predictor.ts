import type { ExecutionTrace, ToolDefinition, ToolId } from '../../core/index.js';
import type { CallPredictor, PredictedCall, Situation } from '../situation.js';
import { CallModel, type CallModelOptions } from './call-model.js';
import { SHIPPED_CONFIDENCE } from './confidence.js';
import { LiveConfidence } from './live-confidence.js';
import { OpenTurns } from './open-turns.js';
import { sessionsOfTraces } from './past-sessions.js';
import {
  type RankedProposal,
  rankProposals,
  type RecordedSession,
  replaySession,
} from './recorded-session.js';

export interface CallPredictorPorts {
  /** A definition tells which arguments are required. Unknown tools are not proposed. */
  readonly toolOf: (id: ToolId) => Pick<ToolDefinition, 'inputSchema'> | undefined;
}

export interface CallPredictorOptions extends Omit<CallModelOptions, 'requiredOf'> {
  /** Weights of the confidence before any experience. Default: the shipped ones. */
  readonly confidence?: Float64Array;
}

/** A predictor that is also taught by what is remembered. */
export interface LearningCallPredictor extends CallPredictor {
  /** Executions that are remembered, oldest first. */
  remember(traces: readonly ExecutionTrace[]): void;
  /** A whole session with its results. */
  replay(session: RecordedSession): void;
}

const SHOWN = 3;
/** A longer history says nothing more about the next call. */
const MOST_CALLS = 80;

export function createCallPredictor(
  ports: CallPredictorPorts,
  options: CallPredictorOptions = {},
): LearningCallPredictor {
  const { confidence = SHIPPED_CONFIDENCE, ...own } = options;
  const requiredOf = (id: ToolId) => requiredNames(ports.toolOf(id));
  const model = new CallModel({ ...own, requiredOf });
  const live = new LiveConfidence(confidence);
  const turns = new OpenTurns(MOST_CALLS);
  const momentOf = ({ calls, intent }: Situation) => ({ intent, calls: calls.slice(-MOST_CALLS) });
  return {
    predict(situation) {
      const moment = momentOf(situation);
      if (moment.calls.length === 0) return Promise.resolve([]);
      const known = model.propose(moment).filter(({ tool }) => ports.toolOf(tool));
      const ranked = rankProposals(known, live.weights).slice(0, SHOWN);
      live.predicted(situation.session, ranked);
      return Promise.resolve(ranked.map(describe));
    },
    observe(situation, call) {
      live.came(situation.session, call);
      model.observe(turns.momentOf(situation, call), call);
    },
    remember(traces) {
      for (const session of sessionsOfTraces(traces)) replaySession(model, session);
    },
    replay(session) {
      replaySession(model, session);
    },
  };
}

function describe(proposal: RankedProposal): PredictedCall {
  const { tool, args, confidence, toolChance, streak } = proposal;
  const toolConfidence = Math.max(confidence, Math.min(1, toolChance));
  const loop = streak > 0 ? `, the last ${streak} like it were foreseen` : '';
  const why = `follows in ${percent(toolConfidence)} of such sessions${loop}`;
  return { tool, args, confidence, toolConfidence, why };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function requiredNames(
  definition: Pick<ToolDefinition, 'inputSchema'> | undefined,
): readonly string[] | undefined {
  if (!definition) return undefined;
  const { required } = definition.inputSchema;
  if (!Array.isArray(required)) return [];
  return required.filter((name): name is string => typeof name === 'string');
}
