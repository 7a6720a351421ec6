import { isCapability, parseToolId, type ToolId } from '../../core/index.js';
import { asksFor, changesNamedBy, isQuestion, isRefused, misfitOf } from '../../planner/index.js';
import type { Suggestion } from '../../suggest/index.js';
import { capabilityEffects, isSafe } from '../../tools/index.js';
import type { Workflows } from '../workflows.js';
import type { CompletedSuggestion } from './complete-suggestion.js';

/** Each round removes at least one member. A plan rarely has more unfit members. */
const MOST_ROUNDS = 4;

/** A member of a plan that does not serve the request. */
interface Unfit {
  readonly why: string;
  /** Tools that may do its work instead. */
  readonly instead: readonly ToolId[];
}

/**
 * The plan in which every member serves the request. PML removes a capability that takes fewer values
 * than the request names, or that makes a change which the request does not ask for, and plans again. If
 * the request is a question, PML also removes tools that change something.
 */
export function suggestFitting(
  workflows: Workflows,
  first: Suggestion,
  complete: (suggestion: Suggestion) => CompletedSuggestion,
): CompletedSuggestion {
  const unfit = new Map<ToolId, readonly ToolId[]>();
  let tried = complete(first);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const misfits = misfitsOf(workflows, tried);
    if (misfits.size === 0) return tried;
    for (const [tool, { why, instead }] of misfits) {
      unfit.set(tool, instead);
      workflows.log.debug('removed from a plan: it does not serve the request', { tool, why });
    }
    tried = complete(workflows.suggester.suggestWithout(first, unfit));
  }
  return tried;
}

/**
 * The members of a plan that do not serve the request, each with the reason. Two capabilities are rivals
 * if they call the same changing tool: the arguments of a rival do not count for this capability.
 */
function misfitsOf(
  workflows: Workflows,
  { suggestion, filled }: CompletedSuggestion,
): ReadonlyMap<ToolId, Unfit> {
  const { intent, repeated } = suggestion.evidence;
  const { tasks } = filled.plan;
  const effects = new Map(
    tasks.flatMap(({ tool }) => {
      const capability = isCapability(tool)
        ? workflows.tools.capabilities.get(parseToolId(tool).tool)
        : undefined;
      if (!capability) return [];
      return [[tool, { capability, ...capabilityEffects(workflows.tools, capability) }] as const];
    }),
  );
  const misfits = new Map<ToolId, Unfit>();
  for (const [tool, { capability, tools, changing }] of effects) {
    const { name, description, intents } = capability;
    const beside = tasks.filter((task) => !areRivals(task.tool, tool));
    const own = new Set(beside.map(({ id }) => id));
    const misfit = misfitOf(
      { examples: intents, text: `${name} ${description}`, tools, changing },
      {
        intent,
        filled: {
          ...filled,
          plan: { tasks: beside },
          holes: filled.holes.filter(({ task }) => own.has(task)),
        },
        others: beside.flatMap((task) => (task.tool === tool ? [] : [task.tool])),
      },
    );
    if (!misfit) continue;
    const instead = misfit.isSameWork ? tools.filter((one) => asksFor(intent, one)) : [];
    misfits.set(tool, { why: misfit.why, instead });
  }
  for (const { tool } of tasks) {
    const calls = isCapability(tool) ? (effects.get(tool)?.changing ?? []) : [tool];
    if (!calls.some((one) => isRefused(intent, one))) continue;
    misfits.set(tool, { why: 'the request forbids this change', instead: [] });
  }
  for (const { tool } of isQuestion(intent) ? tasks : []) {
    const isChange = !isCapability(tool) && changesNamedBy(tool).size > 0;
    // The same question was answered with this tool before.
    const isRepeated = repeated?.likeness === 1 && repeated.tools.has(tool);
    if (isChange && !isSafe(workflows.tools, tool) && !isRepeated) {
      misfits.set(tool, {
        why: 'it changes something, and the request is a question',
        instead: [],
      });
    }
  }
  // If two capabilities make the same change and both serve the request, the likelier one stays.
  const chances = new Map(suggestion.members.map((one) => [one.tool, one.probability]));
  const fitting = [...effects.keys()]
    .filter((tool) => !misfits.has(tool))
    .toSorted((a, b) => (chances.get(b) ?? 0) - (chances.get(a) ?? 0));
  for (const [place, tool] of fitting.entries()) {
    const instead = fitting.slice(0, place).find((one) => areRivals(one, tool));
    if (instead) misfits.set(tool, { why: `${instead} makes the same change`, instead: [] });
  }
  return misfits;

  function areRivals(one: ToolId, other: ToolId): boolean {
    const changing = effects.get(other)?.changing ?? [];
    return one !== other && changing.some((tool) => effects.get(one)?.changing.includes(tool));
  }
}
