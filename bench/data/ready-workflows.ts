import type { ExecutionTrace, JsonObject } from '../../src/core/index.js';
import type { Discovery } from '../../src/discovery/index.js';
import { graphOf } from '../../src/graph/index.js';
import type { Workflows } from '../../src/workflows/index.js';
import { offlineWorkflows } from '../../test/helpers/offline-sessions.js';
import type { ToolSet } from './tool-set.js';

export interface ReadyWorkflowsOptions {
  /** Has taken in the same executions. */
  readonly discovery: Discovery;
  readonly toolSet: ToolSet;
  readonly traces: readonly ExecutionTrace[];
}

/** Workflows as the daemon has them, over servers that are never started. */
export async function readyWorkflows(options: ReadyWorkflowsOptions): Promise<Workflows> {
  const { discovery, toolSet, traces } = options;
  const all = [...toolSet.tools.values()];
  const servers = [...new Set(all.map(({ server }) => server))];
  const { workflows, listRaw } = await offlineWorkflows(servers, { discovery });
  for (const server of servers) {
    const own = all.filter((tool) => tool.server === server);
    listRaw(
      server,
      own.map(({ definition }) => JSON.parse(JSON.stringify(definition)) as JsonObject),
    );
  }
  // Tools of the directory take the place of those that discovery was made ready with.
  await workflows.tools.discovery.settled();
  workflows.graph.apply(graphOf(traces));
  while (workflows.metrics.current.version === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  workflows.planning.learn(traces);
  workflows.suggester.remember(traces);
  await workflows.suggester.learn();
  await workflows.bindings.learn();
  return workflows;
}
