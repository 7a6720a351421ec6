import { type JsonObject, type Logger, runId } from '../../src/core/index.js';
import { GraphMetrics, KnowledgeGraph } from '../../src/graph/index.js';
import { KeptResults } from '../../src/results/index.js';
import type { ToolDirectory } from '../../src/tools/index.js';
import type { GatewaySettings } from '../../src/tools/settings.js';
import { createWorkflows } from '../../src/workflows/create-workflows.js';
import type { RunParts } from '../../src/workflows/run/create-runs.js';
import { FakeSandbox } from './fake-sandbox.js';
import { type Answer, FakeTools } from './fake-tools.js';
import { MemoryRunLog } from './memory-run-log.js';
import { offlineTools } from './offline-tools.js';
import { createDiscovery } from './ready-discovery.js';

export interface RunWorkflowsOptions {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly log?: MemoryRunLog;
  readonly changes?: Partial<GatewaySettings>;
  /** Beside `read_*`, `write_*` and `delete_*` without parameters. */
  readonly tools?: readonly JsonObject[];
}

const SIMPLE = ['read_a', 'read_b', 'read_c', 'write_a', 'write_b', 'delete_a', 'delete_b'];

/** Workflows whose runs are real and whose tools, all of server `fake`, are fakes. */
export async function runWorkflows({
  answers = {},
  log = new MemoryRunLog(),
  changes = {},
  tools = [],
}: RunWorkflowsOptions = {}) {
  const { discovery, log: logger, clock } = createDiscovery();
  const offline = await offlineTools(['fake'], {
    changes,
    discovery,
    log: logger,
    onDefinitionChange: 'warn',
  });
  const list = (rawTools: readonly JsonObject[]) => offline.listRaw('fake', rawTools);
  const simple = SIMPLE.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    ...(name.startsWith('read') && { annotations: { readOnlyHint: true } }),
  }));
  list([...simple, ...tools]);
  const fakes = new FakeTools(answers);
  let runs = 0;
  const workflows = workflowsOf(offline.tools, logger, {
    log: Promise.resolve(log),
    sandbox: new FakeSandbox({}),
    callerFor: () => fakes,
    newRunId: () => runId(`run_${++runs}`),
  });
  return { workflows, tools: fakes, log, logger, discovery, clock, list };
}

/** Workflows over a directory of tools, with an empty graph and results kept in memory. */
export function workflowsOf(tools: ToolDirectory, log: Logger, runs: RunParts) {
  const graph = new KnowledgeGraph();
  const metrics = new GraphMetrics(graph, {
    now: () => performance.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    log,
  });
  const results = new KeptResults({
    memoryBytes: 1e8,
    limits: () => tools.settings.limits,
    opened: Promise.resolve(),
    now: () => Date.now(),
    log,
  });
  return createWorkflows({ tools, results, discovery: tools.discovery, graph, metrics, runs, log });
}
