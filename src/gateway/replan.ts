import { BUILT_IN_SERVER, parseToolId, PmlError } from '../core/index.js';
import type { CompletedPlan } from '../planner/index.js';
import type { Gateway } from './gateway.js';
import { type PlanOptions, planWorkflow } from './plan-workflow.js';

const CANDIDATES = 5;
/** Below this chance of being what is wanted, a tool is proposed and not run. */
const SURE = 0.5;

/**
 * Tasks for a new requirement of a run: the tool that most likely does it, fed by what the run has
 * already found. Throws with the candidates, and what they lack, when that is not clear.
 */
export async function planRequirement(
  gateway: Gateway,
  requirement: string,
  options: PlanOptions,
): Promise<CompletedPlan> {
  await gateway.firstListing();
  const { tools } = await gateway.discovery.rank(requirement, { shown: CANDIDATES });
  const candidates = tools
    .filter(({ tool }) => parseToolId(tool.id).server !== BUILT_IN_SERVER)
    .slice(0, CANDIDATES);
  const [best] = candidates;
  const named = candidates
    .map(({ tool, probability }) => `${tool.id} (${probability.toFixed(2)})`)
    .join(', ');
  if (!best || best.probability < SURE) {
    throw new PmlError(
      'PLAN_INVALID',
      `No tool clearly does "${requirement}"${named ? `; nearest: ${named}` : ''}. Nothing was changed: give "tasks" with replan or inject`,
    );
  }
  try {
    return await planWorkflow(gateway, [{ tool: best.tool.id }], options);
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    throw new PmlError(
      error.code,
      `${best.tool.id} seems to do "${requirement}", but the run does not give all it needs:\n${error.message}\nNothing was changed: give "tasks" with replan or inject`,
      { cause: error, details: error.details },
    );
  }
}
