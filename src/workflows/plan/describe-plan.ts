import type { ApprovalMode, JsonObject, ToolResult } from '../../core/index.js';
import { orderTasks } from '../../plan/index.js';
import type { CompletedPlan } from '../../planner/index.js';
import { fitValue, shareOf } from '../run/workflow-answer.js';
import type { Workflows } from '../workflows.js';

/** The answer to a dry run: what would happen, in which order, with what, and what would be asked. */
export function describePlan(
  workflows: Workflows,
  completed: CompletedPlan,
  approve: ApprovalMode,
): ToolResult {
  return answerWith({ status: 'suggested', ...planParts(workflows, completed, approve) });
}

export function answerWith(answer: object): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer as JsonObject,
  };
}

/** A plan in the words of the answer. */
export function planParts(
  workflows: Workflows,
  { plan, bindings, ambiguous, broken, holes }: CompletedPlan,
  approve: ApprovalMode,
) {
  const layers = orderTasks(plan);
  const first = new Set(layers[0]?.map(({ id }) => id));
  const approvals = plan.tasks.flatMap(({ id, tool }) => {
    const { ask } = workflows.tools.admit(tool, { approve });
    if (ask) return [{ task: id, tool, because: ask.why }];
    const isHeld = approve === 'per_layer' && !first.has(id);
    return isHeld ? [{ task: id, tool, because: 'the layer before it is done' }] : [];
  });
  const fit = shareOf(workflows.tools.settings.limits, plan.tasks.length, workflows.results);
  return {
    layers: layers.map((layer) => layer.map(({ id }) => id)),
    tasks: plan.tasks.map(({ id, tool, args, needs }) => {
      return { id, tool, args: fitValue(args, fit), needs: [...needs] };
    }),
    bindings: bindings.map(({ from, path, to, param, score, reasons }) => ({
      from: path ? `${from}.${path}` : from,
      to: `${to}.${param}`,
      score: round(score),
      reasons: reasons.map(({ text }) => text),
    })),
    ...(ambiguous.length > 0 && {
      ambiguous: ambiguous.map(({ task, param, sources }) => ({
        param: `${task}.${param}`,
        sources: sources.map(({ task: from, path, score }) => ({
          from: path ? `${from}.${path}` : from,
          score: round(score),
        })),
      })),
    }),
    ...(broken.length > 0 && {
      broken: broken.map(({ from, to, score, cycle }) => ({
        edge: `${from} → ${to}`,
        score: round(score),
        cycle: cycle.join(' → '),
      })),
    }),
    holes: holes.map((hole) => ({ ...hole })),
    approvals,
  };
}

export const round = (score: number): number => Math.round(score * 100) / 100;
