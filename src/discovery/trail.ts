import type {
  Algorithm,
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
  readonly algorithm: Algorithm;
  /** Of the ranking model that made it. */
  readonly model: string;
  readonly intent: string;
  readonly at: Date;
  /** Best first; of a plan, those it is made of. */
  readonly tools: readonly ToolId[];
  /** Those that were weighed and left out, best first. */
  readonly others?: readonly ToolId[];
  /** Of what is to come next: the run that goes on, and what it had done by then. */
  readonly after?: { readonly run: RunId; readonly done: readonly ToolId[] };
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

/** What an execution at that time may have to do with. */
export function recentOf(trail: Trail, at: Date): Trail {
  return trail.filter((shown) => at.getTime() - shown.at.getTime() <= MEMORY_MS);
}

/**
 * Says which questions a client's calls answer. Each call belongs to the newest question that showed
 * its tool, be it among others or in a plan; calls that no question explains are remembered without
 * an intent, for what they tell about their tools.
 */
export function attribute(trail: Trail, execution: Execution): Attributed {
  const { calls, bindings, intent, at, run } = execution;
  const recent = recentOf(trail, at);
  const questions = recent.filter(({ algorithm }) => algorithm !== 'next');
  const searches = recent.filter(({ algorithm }) => algorithm === 'discover');
  const newest = (some: Trail, tool: ToolId) => some.findLast(({ tools }) => tools.includes(tool));
  const outcomes = new Map<Shown, DecisionOutcome>();
  const byQuestion = new Map<Shown | undefined, PastCall[]>();
  for (const call of calls) {
    const asked = newest(questions, call.tool);
    byQuestion.set(asked, [...(byQuestion.get(asked) ?? []), call]);
    const search = newest(searches, call.tool);
    if (!search || outcomes.get(search)?.ok) continue;
    const place = search.tools.indexOf(call.tool) + 1;
    outcomes.set(search, { tool: call.tool, place, ok: call.ok, ...(run && { run }) });
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
