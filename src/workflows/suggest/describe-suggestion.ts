import type { PathSuccess } from '../../attention/index.js';
import { isCertain, type Task, type ToolId, type ToolResult } from '../../core/index.js';
import type { DiscoveryStatus } from '../../discovery/index.js';
import {
  answerWith,
  fullPlanParts,
  HOW_TO_GET_MORE,
  planParts,
  type PlanStyle,
  round,
} from '../plan/describe-plan.js';
import type { Workflows } from '../workflows.js';
import { explainSuggestion } from './explain-suggestion.js';
import { whyNotReady } from './run-suggestion.js';
import type { SuggestedWorkflow } from './suggest-workflow.js';

const SHOWN_OTHERS = 5;
const SHOWN_NEAREST = 3;

const NOTHING_FOUND =
  'No tool fits. Rephrase the intent, search with pml_discover, or give "tasks"';

const FILL_HOLES = 'Check it, fill holes, run it as "tasks"';

/** What the agent should do next, by the mode of the plan. */
const NEXT = {
  explicit_required: 'Give the "tasks" you want, or search with pml_discover',
  suggestion: 'Check it, run it as "tasks"',
  speculative_execution:
    'Run it as it is, with "tasks" or by repeating with "mode":"run": nothing is missing and it only reads',
} as const;

/**
 * The answer to an intent: a plan that could run, and its confidence. On request, also the reasons.
 */
export function describeSuggestion(
  workflows: Workflows,
  suggested: SuggestedWorkflow,
  style: PlanStyle,
  whyNotRun?: string,
): ToolResult {
  const { suggestion, mode, confidence, isReady, filled, success } = suggested;
  const isReadyToRun = isReady && mode === 'speculative_execution';
  const reason = isReadyToRun ? undefined : reasonAgainst(workflows, suggested);
  const note = suggestion.evidence.byMeaning
    ? undefined
    : whyWordsOnly(workflows.tools.discovery.status);
  return answerWith({
    status: 'suggested',
    ...(whyNotRun !== undefined && { why_not_run: whyNotRun }),
    mode,
    confidence: round(suggestion.confidence),
    ...(filled.plan.tasks.some(hasGuess) && { with_values: round(confidence) }),
    ...(success && riskOf(success)),
    ready: isReadyToRun,
    ...(whyNotRun === undefined && reason !== undefined && { why_not_ready: reason }),
    next: nextOf(suggested),
    ...(note !== undefined && { note }),
    ...(isShown(suggested, style)
      ? planParts(workflows, filled, style)
      : { nearest: nearestTools(suggested) }),
    ...(style.isFull ? fullParts(workflows, suggested) : { more: HOW_TO_GET_MORE }),
  });
}

function hasGuess({ guessed = {} }: Task): boolean {
  return Object.values(guessed).some((guess) => !isCertain(guess));
}

function nextOf({ suggestion, mode, filled }: SuggestedWorkflow): string {
  if (suggestion.members.length === 0) return NOTHING_FOUND;
  return mode === 'suggestion' && filled.holes.length > 0 ? FILL_HOLES : NEXT[mode];
}

/** Said where a step is known to fail: that a plan works is expected, and no news. */
function riskOf({ probability, weakest }: PathSuccess) {
  const { tool, calls, worked, usualFailure } = weakest;
  if (worked === calls) return {};
  const how = usualFailure === undefined || usualFailure === 'unknown' ? '' : `, ${usualFailure}`;
  return {
    success: round(probability),
    risk: `${tool} failed ${calls - worked} of ${calls}${how}`,
  };
}

function reasonAgainst(workflows: Workflows, suggested: SuggestedWorkflow): string | undefined {
  const { mode, threshold, suggestion } = suggested;
  if (mode !== 'explicit_required') return whyNotReady(workflows, suggested);
  return `not sure enough of these tools: ${round(suggestion.confidence)} of ${threshold}`;
}

/** Whether the answer shows the plan itself. One that is likely wrong only costs tokens. */
export function isShown({ mode }: SuggestedWorkflow, { isFull }: PlanStyle): boolean {
  return isFull || mode !== 'explicit_required';
}

function nearestTools({ suggestion: { members, others } }: SuggestedWorkflow): readonly ToolId[] {
  const likely = [...members, ...others].toSorted((a, b) => b.probability - a.probability);
  return [...new Set(likely.map(({ tool }) => tool))].slice(0, SHOWN_NEAREST);
}

function fullParts(workflows: Workflows, { suggestion, filled, covers }: SuggestedWorkflow) {
  return {
    ...fullPlanParts(filled),
    values: filled.values.map(({ task, param, value, score, because }) => ({
      to: `${task}.${param}`,
      value,
      score: round(score),
      because,
    })),
    ...(covers.length > 0 && {
      capabilities: covers.map(({ capability, tasks }) => ({ capability, instead_of: tasks })),
    }),
    others: suggestion.others.slice(0, SHOWN_OTHERS).map(({ tool, probability }) => {
      return { tool, score: round(probability) };
    }),
    why: withoutRunIds(explainSuggestion(workflows, suggestion)),
  };
}

/** The runs may be of other principals, and an id gives access to a run. */
function withoutRunIds(why: ReturnType<typeof explainSuggestion>) {
  return { ...why, runs: why.runs.map(({ run: _run, ...rest }) => rest) };
}

/** Nothing where words are all that is wanted: then it is no news. */
function whyWordsOnly({ state, error }: DiscoveryStatus): string | undefined {
  if (error !== undefined) return `PML compared words alone: ${error}`;
  switch (state.state) {
    case 'none':
      return undefined;
    case 'failed':
      return `PML compared words alone: the model failed${state.error ? `: ${state.error}` : ''}`;
    case 'ready':
      return 'PML compared words alone: the model did not answer in time';
    case 'idle':
    case 'loading':
      return 'PML compared words alone: the model is still loading. Ask again in a moment for a better plan';
  }
}
