import { silentLogger } from '../../src/core/index.js';
import { Sessions } from '../../src/gateway/session/sessions.js';
import { FakeSandbox } from './fake-sandbox.js';
import { MemoryRunLog } from './memory-run-log.js';
import { type OfflineOptions, offlineTools } from './offline-tools.js';
import { workflowsOf } from './run-workflows.js';

/** Workflows over servers that are never started; `list` says what one of them would. */
export async function offlineWorkflows(servers: readonly string[], options: OfflineOptions = {}) {
  const { tools, ...lists } = await offlineTools(servers, options);
  const workflows = workflowsOf(tools, options.log ?? silentLogger, {
    log: Promise.resolve(new MemoryRunLog()),
    sandbox: new FakeSandbox({}),
  });
  return { workflows, tools, ...lists };
}

/** Sessions in front of such workflows. */
export async function offlineSessions(servers: readonly string[], options: OfflineOptions = {}) {
  const offline = await offlineWorkflows(servers, options);
  const { workflows } = offline;
  return { sessions: new Sessions({ workflows, log: options.log ?? silentLogger }), ...offline };
}
