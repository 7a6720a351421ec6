import type { RunState, ScoredCandidate, ToolId } from '../../core/index.js';
import { extendTrail, type MadeDecision } from '../../discovery/index.js';
import { namedMemberSignals, type NextStep, type WeighedMember } from '../../suggest/index.js';
import type { RequestContext } from '../../tools/index.js';
import type { Workflows } from '../workflows.js';
import type { SuggestedWorkflow } from './suggest-workflow.js';

/** Remembers what was suggested to a client, to learn what becomes of it. */
export function recordSuggestion(
  workflows: Pick<Workflows, 'tools' | 'suggester'>,
  intent: string,
  suggested: SuggestedWorkflow,
  context: Pick<RequestContext, 'trail'> | undefined,
): void {
  const shown = workflows.tools.discovery.decided(planDecision(workflows, intent, suggested));
  if (context) context.trail.current = extendTrail(context.trail.current, shown);
}

function planDecision(
  { suggester }: Pick<Workflows, 'suggester'>,
  intent: string,
  { suggestion, mode, threshold }: SuggestedWorkflow,
): MadeDecision {
  const { members, others, confidence } = suggestion;
  const { id, plan } = suggester.weights;
  return {
    algorithm: 'suggest',
    intent,
    model: id,
    weights: plan,
    candidates: [...likeliestFirst(members), ...others].map((one) => ({
      tool: one.tool,
      score: one.probability,
      signals: namedMemberSignals(one.signals),
    })),
    shown: members.length,
    verdict: { confidence, threshold, mode },
  };
}

/** What was weighed as the next steps of a run. */
export interface WeighedSteps {
  /** What was asked for, with what the run is for. */
  readonly asked: string;
  readonly done: readonly ToolId[];
  /** Those that are taken. */
  readonly wanted: readonly ToolId[];
  /** With both that it is wanted and that it follows taken into account. */
  readonly candidates: readonly WeighedMember[];
  readonly following: readonly NextStep[];
  /** From which on a step is taken. */
  readonly threshold: number;
}

/** Remembers what was taken for the next steps of a run. */
export function recordSteps(workflows: Workflows, run: RunState, steps: WeighedSteps): void {
  // What was planned before may still come, and is not what was foreseen now.
  const own = run.tasks.filter(({ task }) => task.parent === undefined);
  const after = { run: run.run, done: own.map(({ task }) => task.tool) };
  workflows.clients.show(
    run.run,
    workflows.tools.discovery.decided(stepDecision(workflows, steps), after),
  );
}

function stepDecision({ suggester }: Workflows, steps: WeighedSteps): MadeDecision {
  const { asked, wanted, candidates, following, threshold } = steps;
  const { id, next } = suggester.weights;
  const signals = new Map(following.map((step) => [step.tool, step.signals]));
  const taken = new Set(wanted);
  const ranked = likeliestFirst(candidates);
  return {
    algorithm: 'next',
    intent: asked,
    model: id,
    weights: next,
    candidates: [
      ...ranked.filter(({ tool }) => taken.has(tool)),
      ...ranked.filter(({ tool }) => !taken.has(tool)),
    ].map(({ tool, probability }): ScoredCandidate => {
      return { tool, score: probability, signals: signals.get(tool) ?? {} };
    }),
    shown: wanted.length,
    verdict: {
      confidence: ranked[0]?.probability ?? 0,
      threshold,
      mode: wanted.length > 0 ? 'suggestion' : 'explicit_required',
    },
  };
}

/** A plan is in the order it runs; what was right is counted in that of its scores. */
function likeliestFirst(members: readonly WeighedMember[]): readonly WeighedMember[] {
  return members.toSorted((a, b) => b.probability - a.probability || (a.tool < b.tool ? -1 : 1));
}
