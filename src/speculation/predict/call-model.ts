/** What sessions are made of: which tool follows, and where its arguments come from. */
import type { JsonObject, ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import {
  ArgumentModel,
  type ArgumentModelOptions,
  isSameArgs,
  type Moment,
} from './argument-model.js';
import { callSignals } from './confidence.js';
import { leavesOfArgs } from './leaves.js';
import { mixTools, TOOL_SHARES, type ToolShares } from './mix-tools.js';
import { RecentTools } from './recent-tools.js';
import { contextsOf, sessionChances, TurnCounts } from './tool-chances.js';

export interface CallModelOptions extends ArgumentModelOptions {
  readonly shares?: Partial<ToolShares>;
}

/** One call that may come, before it is known how sure that is. */
export interface Proposal {
  readonly tool: ToolId;
  readonly args: JsonObject;
  readonly toolChance: number;
  /** Of the last calls of the tool in this session, how many in a row would have been guessed. */
  readonly streak: number;
  /** See `CALL_SIGNALS`. */
  readonly signals: Float64Array;
}

/** What is less likely will not be called again and again. */
const LEAST_OF_LOOPS = 0.1;
const NONE: ReadonlyMap<ToolId, number> = new Map();

export class CallModel {
  readonly #arguments: ArgumentModel;
  readonly #turns = new TurnCounts();
  readonly #recent = new RecentTools();
  readonly #shares: ToolShares;

  constructor(options: CallModelOptions = {}) {
    this.#arguments = new ArgumentModel(options);
    this.#shares = { ...TOOL_SHARES, ...options.shares };
  }

  /** In no order. */
  propose(moment: Moment): readonly Proposal[] {
    const { calls } = moment;
    const past = this.#turns.chances(contextsOf(calls));
    const session = this.#shares.session > 0 ? sessionChances(calls) : NONE;
    const recent = this.#shares.recent > 0 ? this.#recent.chances(calls) : NONE;
    const tools = mixTools({ past, session, recent }, this.#shares);
    const sources = this.#arguments.sources(moment);
    return tools.flatMap(([tool, toolChance]) => {
      const accuracy = this.#arguments.accuracy(tool, moment);
      const isLikely = toolChance >= LEAST_OF_LOOPS;
      const streak = isLikely ? this.#arguments.streak(tool, moment) : 0;
      const known = { tool: toolChance, accuracy, streak, isLast: calls.at(-1)?.tool === tool };
      return this.#arguments.guess(tool, moment, sources).map(({ args, probability }) => {
        const madeAgo = lastMade(calls, tool, args);
        const signals = callSignals({ ...known, args: probability, madeAgo });
        return { tool, args, toolChance, streak, signals };
      });
    });
  }

  /** The client made a call when its session stood there. */
  observe(moment: Moment, call: Pick<SessionCall, 'tool' | 'args' | 'turn'>): void {
    this.#observeTool(moment, call);
    this.#arguments.add(call.tool, moment, call.args);
  }

  /** A session came to its end there. */
  observeEnd({ calls }: Moment): void {
    if (calls.length === 0) return;
    this.#turns.add(contextsOf(calls), []);
    this.#recent.addEnd(calls);
  }

  /** Calls of one turn do not follow each other: each of them follows the turn before. */
  #observeTool({ calls }: Moment, { tool, turn }: Pick<SessionCall, 'tool' | 'turn'>): void {
    const before = calls.filter((call) => call.turn !== turn);
    const beside = calls.filter((call) => call.turn === turn);
    const contexts = contextsOf(before);
    if (beside.length === 0) {
      this.#turns.add(contexts, [tool]);
      this.#recent.add(before, tool);
    } else if (beside.every((call) => call.tool !== tool)) {
      this.#turns.addToSameTurn(contexts, tool);
      this.#recent.addToSameTurn(before, tool);
    }
  }
}

/** How many calls ago exactly this call was made, from 1. */
function lastMade(
  calls: readonly SessionCall[],
  tool: ToolId,
  args: JsonObject,
): number | undefined {
  const leaves = leavesOfArgs(args);
  const at = calls.findLastIndex(
    (call) => call.tool === tool && isSameArgs(leaves, leavesOfArgs(call.args)),
  );
  return at < 0 ? undefined : calls.length - at;
}
