import { silentLogger } from '../../src/core/index.js';
import { Sessions } from '../../src/gateway/session/sessions.js';
import { FakeSandbox } from './fake-sandbox.js';
import { MemoryRunLog } from './memory-run-log.js';
import { type OfflineOptions, offlineTools } from './offline-tools.js';
import { workflowsOf } from './run-workflows.js';

/** Sessions in front of servers that are never started; `list` says what one of them would. */
export async function offlineSessions(servers: readonly string[], options: OfflineOptions = {}) {
  const { tools, ...lists } = await offlineTools(servers, options);
  const log = options.log ?? silentLogger;
  const workflows = workflowsOf(tools, log, {
    log: Promise.resolve(new MemoryRunLog()),
    sandbox: new FakeSandbox({}),
  });
  return { sessions: new Sessions({ workflows, log }), workflows, tools, ...lists };
}
