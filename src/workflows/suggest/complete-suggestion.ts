import type { TaskId, ToolId } from '../../core/index.js';
import type { FilledPlan } from '../../planner/index.js';
import { addMissing, type MissingInput, type Suggestion } from '../../suggest/index.js';
import { isCallable, isSafe } from '../../tools/index.js';
import type { Workflows } from '../workflows.js';

export interface CompletedSuggestion {
  readonly suggestion: Suggestion;
  readonly filled: FilledPlan;
}

/**
 * Fills in the arguments of a plan and adds steps that provide missing values. The client did not
 * ask for these steps, so they only read. They do not change the confidence of the plan.
 */
export function completeSuggestion(
  workflows: Workflows,
  suggestion: Suggestion,
  fill: (suggestion: Suggestion) => FilledPlan,
): CompletedSuggestion {
  const { shape, tried } = addMissing(suggestion, {
    evidence: suggestion.evidence,
    isUsable: (tool) => isCallable(workflows.tools, tool) && isSafe(workflows.tools, tool),
    fill(extended) {
      const filled = fill({ ...suggestion, ...extended });
      return { filled, holes: missingIn(filled) };
    },
  });
  return { suggestion: { ...suggestion, ...shape }, filled: tried.filled };
}

function missingIn({ plan, holes }: FilledPlan): readonly MissingInput[] {
  const toolOf = new Map<TaskId, ToolId>(plan.tasks.map(({ id, tool }) => [id, tool]));
  return holes.flatMap(({ task, param }): MissingInput[] => {
    const tool = toolOf.get(task);
    return tool ? [{ tool, param }] : [];
  });
}
