import { PmlError, runId } from '../../core/index.js';
import type { LiveGraph } from '../../graph/index.js';
import { explainPlan, type Workflows } from '../../workflows/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import { COMMAND_LISTING_MS } from '../search/search.js';
import { explainExecution } from './execution.js';

interface ExplainingDaemon {
  readonly workflows: Workflows;
  readonly graph: LiveGraph;
  store(): Promise<object>;
}

const RUN = /^run_/;

/** `{plan}` for an intent, `{execution}` for the id of a run or of another execution. */
export async function explain(
  daemon: ExplainingDaemon,
  params: ControlParams<'explain'>,
): Promise<ControlResult<'explain'>> {
  const { workflows } = daemon;
  const what = params.what.trim();
  // Stored data is known only after PML has loaded it.
  await daemon.store();
  await daemon.graph.settled();
  await workflows.tools.catalogLoaded;
  const trace = await workflows.tools.discovery.recall(what);
  if (trace) return { execution: await explainExecution(daemon, trace) };
  if (RUN.test(what) && !what.includes(' ')) await refuseRun(workflows, what);
  await workflows.tools.readyToSearch(COMMAND_LISTING_MS);
  if (workflows.tools.index.size === 0) {
    throw new PmlError(
      'TOOL_UNKNOWN',
      'No server lists any tool, so PML cannot plan. See `pml status`',
    );
  }
  return { plan: await explainPlan(workflows, workflows.mask(what)) };
}

/** Explains why PML remembers nothing of a run. */
async function refuseRun({ runs }: Workflows, what: string): Promise<never> {
  const { phase } = await runs.find(runId(what));
  if (phase !== 'finished') {
    throw new PmlError(
      'RUN_UNKNOWN',
      `${what} is not over yet: it is explained when it is. \`pml show ${what}\` shows how far it is`,
    );
  }
  throw new PmlError(
    'RUN_UNKNOWN',
    `Nothing is remembered of ${what}: it called no tool, or is too long ago. \`pml show ${what}\` shows what is left`,
  );
}
