import type { ApprovalMode, ToolResult } from '../../core/index.js';
import type { DiscoveryStatus } from '../../discovery/index.js';
import { answerWith, planParts, round } from '../plan/describe-plan.js';
import type { Workflows } from '../workflows.js';
import { explainSuggestion } from './explain-suggestion.js';
import type { SuggestedWorkflow } from './suggest-workflow.js';

const SHOWN_OTHERS = 5;

const NOTHING_FOUND =
  'nothing was found that does this: say it in other words, look with pml_discover, or give "tasks"';

/** What to do with a plan of each kind. */
const NEXT = {
  explicit_required:
    'not sure enough: this is the nearest there is. Say which tasks you want with "tasks", or look with pml_discover',
  suggestion: 'check it, fill the holes, and run it with "tasks"',
  speculative_execution: 'sure and safe: run it with "tasks" as it is',
} as const;

/** The answer to an intent alone: a plan as it could be run, how sure it is, and why. */
export function describeSuggestion(
  workflows: Workflows,
  suggested: SuggestedWorkflow,
  approve: ApprovalMode,
): ToolResult {
  const { suggestion, mode, isReady, filled, covers } = suggested;
  const { confidence, others } = suggestion;
  const note = suggestion.evidence.byMeaning
    ? undefined
    : whyWordsOnly(workflows.tools.discovery.status);
  return answerWith({
    status: 'suggested',
    mode,
    confidence: round(confidence),
    ready: isReady && mode === 'speculative_execution',
    next: suggestion.members.length > 0 ? NEXT[mode] : NOTHING_FOUND,
    ...(note !== undefined && { note }),
    ...planParts(workflows, filled, approve),
    values: filled.values.map(({ task, param, value, score, because }) => ({
      to: `${task}.${param}`,
      value,
      score: round(score),
      because,
    })),
    ...(covers.length > 0 && {
      capabilities: covers.map(({ capability, tasks }) => ({ capability, instead_of: tasks })),
    }),
    others: others.slice(0, SHOWN_OTHERS).map(({ tool, probability }) => {
      return { tool, score: round(probability) };
    }),
    why: withoutRunIds(explainSuggestion(workflows, suggestion)),
  });
}

/** The runs may be of other principals, and an id gives access to a run. */
function withoutRunIds(why: ReturnType<typeof explainSuggestion>) {
  return { ...why, runs: why.runs.map(({ run: _run, ...rest }) => rest) };
}

/** Nothing where words are all that is wanted: then it is no news. */
function whyWordsOnly({ state, error }: DiscoveryStatus): string | undefined {
  if (error !== undefined) return `made by words alone: ${error}`;
  switch (state.state) {
    case 'none':
      return undefined;
    case 'failed':
      return `made by words alone: the model failed${state.error ? `: ${state.error}` : ''}`;
    case 'ready':
      return 'made by words alone: the model did not answer in time';
    case 'idle':
    case 'loading':
      return 'made by words alone: the model is still loading. Ask again in a moment for a better plan';
  }
}
