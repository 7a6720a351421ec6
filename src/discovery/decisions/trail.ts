import type {
  Algorithm,
  DecisionOutcome,
  EarlierCall,
  ExecutionTrace,
  PastBinding,
  PastCall,
  PastDecision,
  RunId,
  ToolId,
} from '../../core/index.js';
import { SESSION_CALLS, SESSION_MS } from './session-window.js';

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
  /** Candidates that were weighed and left out, best first. */
  readonly others?: readonly ToolId[];
  /** For a predicted step: the run that continues, and what it had done by then. */
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
  /** Whether a run succeeded as a whole; if missing, its calls decide. */
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

const MOST_SHOWN = 50;

interface DatedCall extends EarlierCall {
  readonly at: Date;
}

/** What one client was shown and what it called, each newest last. */
export interface Trail {
  readonly shown: readonly Shown[];
  readonly called: readonly DatedCall[];
}

export const NO_TRAIL: Trail = { shown: [], called: [] };

export function extendTrail(trail: Trail, shown: Shown): Trail {
  return { ...trail, shown: [...trail.shown, shown].slice(-MOST_SHOWN) };
}

/** With calls that ended at some time. */
export function withCalls(trail: Trail, calls: readonly EarlierCall[], at: Date): Trail {
  const dated = calls.map(({ tool, ok }) => ({ tool, ok, at }));
  const room = Math.max(0, SESSION_CALLS - dated.length);
  const called = room === 0 ? dated : [...trail.called.slice(-room), ...dated];
  return { shown: trail.shown, called: called.slice(-SESSION_CALLS) };
}

/** The questions that an execution at that time may belong to. */
export function recentOf({ shown }: Trail, at: Date): readonly Shown[] {
  return shown.filter((one) => at.getTime() - one.at.getTime() <= SESSION_MS);
}

/** The recent calls before that time, newest last. */
export function calledBefore({ called }: Trail, time: number): readonly EarlierCall[] {
  return called
    .filter(({ at }) => at.getTime() <= time && time - at.getTime() <= SESSION_MS)
    .map(({ tool, ok }) => ({ tool, ok }));
}

/**
 * Says which questions a client's calls answer. Each call belongs to the newest question that showed
 * its tool, in a list or in a plan. Calls that no question explains are remembered without an
 * intent, as evidence about their tools.
 */
export function attribute(trail: Trail, execution: Execution): Attributed {
  if (trail.shown.length === 0) return unexplained(trail, execution);
  const { calls, bindings, intent, at, run } = execution;
  const recent = recentOf(trail, at);
  const questions = recent.filter(({ algorithm }) => algorithm !== 'next');
  const searches = recent.filter(({ algorithm }) => algorithm === 'discover');
  const newest = (some: readonly Shown[], tool: ToolId) =>
    some.findLast(({ tools }) => tools.includes(tool));
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
  const before = calledBefore(trail, at.getTime() - (execution.ms ?? 0));
  const common = { at, source: 'live' as const, hasOrigins: true as const };
  const earlier = before.length > 0 ? { before } : {};
  const question = [...byQuestion.keys()].findLast((shown) => shown !== undefined);
  const traces =
    intent || execution.run
      ? [{ ...common, ...earlier, ...whole(execution), ...(intent ? {} : explainedBy(question)) }]
      : Array.from(byQuestion, ([shown, own]) => ({
          ...common,
          ...earlier,
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

/** Calls of a client that was shown nothing, which is every client of a proxy. */
function unexplained(trail: Trail, execution: Execution): Attributed {
  const { calls, at } = execution;
  const isWhole = execution.intent || execution.run;
  if (!isWhole && calls.length === 0) return { traces: [], outcomes: [] };
  const before = calledBefore(trail, at.getTime() - (execution.ms ?? 0));
  const trace = {
    at,
    source: 'live' as const,
    hasOrigins: true as const,
    ...(before.length > 0 && { before }),
    ...(isWhole ? whole(execution) : ofCalls(execution)),
  };
  return { traces: [trace], outcomes: [] };
}

function ofCalls({ calls, bindings }: Execution) {
  return { intent: '', ok: calls.every(({ ok }) => ok), calls, bindings };
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
