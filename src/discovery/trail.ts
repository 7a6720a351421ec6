import type {
  DecisionOutcome,
  ExecutionTrace,
  PastBinding,
  PastCall,
  PastDecision,
  RunId,
  ToolId,
} from '../core/index.js';

/** What one client was shown, so that its later calls can be understood. */
export interface Shown {
  /** Of the decision. */
  readonly id: string;
  /** Of the ranking model that made it. */
  readonly model: string;
  readonly intent: string;
  readonly at: Date;
  /** Best first. */
  readonly tools: readonly ToolId[];
}

/** Calls a client made together, or the run they were part of. */
export interface Execution {
  readonly calls: readonly PastCall[];
  readonly bindings: readonly PastBinding[];
  /** What the client said they are for. */
  readonly intent?: string;
  readonly at: Date;
  readonly run?: RunId;
  /** Whether a run succeeded as a whole; else that is told by its calls. */
  readonly ok?: boolean;
  readonly ms?: number;
  readonly decisions?: readonly PastDecision[];
}

export interface Attributed {
  readonly traces: readonly Omit<ExecutionTrace, 'id'>[];
  readonly outcomes: readonly JudgedDecision[];
}

export interface JudgedDecision {
  readonly decision: string;
  readonly model: string;
  readonly outcome: DecisionOutcome;
}

/** A call long after a question has probably nothing to do with it. */
const MEMORY_MS = 15 * 60_000;
const MOST_SHOWN = 50;

export type Trail = readonly Shown[];

/** Newest last. */
export function extendTrail(trail: Trail, shown: Shown): Trail {
  return [...trail, shown].slice(-MOST_SHOWN);
}

/**
 * Says which questions a client's calls answer. Each call belongs to the newest question that showed
 * its tool; calls that no question explains are remembered without an intent, for what they tell
 * about their tools.
 */
export function attribute(trail: Trail, execution: Execution): Attributed {
  const { calls, bindings, intent, at } = execution;
  const recent = trail.filter((shown) => at.getTime() - shown.at.getTime() <= MEMORY_MS);
  const questionOf = (tool: ToolId) => recent.findLast(({ tools }) => tools.includes(tool));
  const outcomes = new Map<Shown, DecisionOutcome>();
  const byQuestion = new Map<Shown | undefined, PastCall[]>();
  for (const call of calls) {
    const shown = questionOf(call.tool);
    byQuestion.set(shown, [...(byQuestion.get(shown) ?? []), call]);
    if (!shown || outcomes.get(shown)?.ok) continue;
    const place = shown.tools.indexOf(call.tool) + 1;
    outcomes.set(shown, { tool: call.tool, place, ok: call.ok });
  }
  const common = { at, source: 'live' as const };
  const question = [...byQuestion.keys()].findLast((shown) => shown !== undefined);
  const traces =
    intent || execution.run
      ? [{ ...common, ...whole(execution), ...(intent ? {} : explainedBy(question)) }]
      : Array.from(byQuestion, ([shown, own]) => ({
          ...common,
          intent: shown?.intent ?? '',
          ok: own.every(({ ok }) => ok),
          calls: own,
          bindings: own.length === calls.length ? bindings : [],
          ...(shown && { group: shown.id }),
        }));
  return {
    traces,
    outcomes: Array.from(outcomes, ([{ id, model }, outcome]) => ({
      decision: id,
      model,
      outcome,
    })),
  };
}

/** One record for all of it. */
function whole({ calls, bindings, intent = '', run, ok, ms, decisions }: Execution) {
  return {
    intent,
    ok: ok ?? calls.every((call) => call.ok),
    calls,
    bindings,
    ...(run && { run }),
    ...(ms !== undefined && { ms }),
    ...(decisions && { decisions }),
  };
}

function explainedBy(question: Shown | undefined) {
  return question ? { intent: question.intent, group: question.id } : {};
}
