import { listActivity, showActivity } from './activity/activity.js';
import { changeCapability } from './capabilities/change.js';
import { exportCapabilities, exportSkills, importCapabilities } from './capabilities/exchange.js';
import { listCapabilities, showCapability } from './capabilities/show.js';
import { verifyCapabilities } from './capabilities/verify.js';
import type { ControlMethod, ControlParams, ControlResult } from './contract.js';
import type { ControlledDaemon } from './controlled-daemon.js';
import { importRows, learnNow } from './experience/import.js';
import { explain } from './explain/explain.js';
import { graphProgress, rebuildGraph } from './graph/rebuild.js';
import { findPath, showNode } from './graph/show.js';
import { graphStats } from './graph/stats.js';
import { viewGraph } from './graph/view.js';
import { showHistory } from './metrics/history.js';
import { showLearning } from './metrics/learning.js';
import { showRankingMetrics } from './metrics/metrics.js';
import { showReliability } from './metrics/reliability.js';
import { forget, showSpeculation } from './metrics/speculation.js';
import { readRunEvents } from './runs/events.js';
import { readKeptResult } from './runs/kept-result.js';
import { listQuestions } from './runs/questions.js';
import { decide, listRuns, showRun, startCodeRun, startRun, watchRun } from './runs/runs.js';
import { index, search } from './search/search.js';
import {
  awaitSignIn,
  beginSignIn,
  listSignIns,
  pasteSignIn,
  signOut,
} from './sign-ins/sign-ins.js';
import { openDashboard } from './status/dashboard.js';
import { closeHttp, openHttp } from './status/http.js';
import { showMemory } from './status/memory.js';
import { showStatus } from './status/status.js';
import { stop } from './status/stop.js';
import { createToken, listTokens, revokeToken } from './tokens/tokens.js';
import { approve, block, listChanges } from './tools/definitions.js';
import { listPolicies } from './tools/policies.js';
import { awaitLists, listAllTools, refresh } from './tools/tools.js';

type Handlers = {
  readonly [M in ControlMethod]: (
    daemon: ControlledDaemon,
    params: ControlParams<M>,
  ) => Promise<ControlResult<M>>;
};

/** Who answers which method. */
export const HANDLERS: Handlers = {
  status: showStatus,
  memory: showMemory,
  stop,
  'http-open': openHttp,
  'http-close': closeHttp,
  'ui-open': openDashboard,
  'sign-in-begin': beginSignIn,
  'sign-in-wait': awaitSignIn,
  'sign-in-paste': pasteSignIn,
  'sign-out': signOut,
  'sign-ins': listSignIns,
  'token-create': createToken,
  tokens: listTokens,
  'token-revoke': revokeToken,
  tools: listAllTools,
  lists: awaitLists,
  refresh,
  approve,
  block,
  'tool-policies': listPolicies,
  changes: listChanges,
  search,
  index,
  import: importRows,
  learn: learnNow,
  explain,
  'metrics-ranking': showRankingMetrics,
  'metrics-reliability': showReliability,
  'metrics-speculation': showSpeculation,
  'metrics-learning': showLearning,
  forget,
  'metrics-history': showHistory,
  activity: listActivity,
  'activity-show': showActivity,
  questions: listQuestions,
  'run-start': startRun,
  'code-start': startCodeRun,
  runs: listRuns,
  'run-show': showRun,
  'run-watch': watchRun,
  'run-events': readRunEvents,
  'run-decide': decide,
  result: readKeptResult,
  capabilities: listCapabilities,
  'capability-show': showCapability,
  'capability-change': changeCapability,
  'capabilities-export': exportCapabilities,
  'capabilities-skills': exportSkills,
  'capabilities-verify': verifyCapabilities,
  'capabilities-import': importCapabilities,
  'graph-stats': graphStats,
  'graph-show': showNode,
  'graph-view': viewGraph,
  'graph-path': findPath,
  'graph-rebuild': rebuildGraph,
  'graph-progress': graphProgress,
};

/** Whether there is such a method; what every object has, such as `toString`, is none. */
export function isControlMethod(name: string): name is ControlMethod {
  return Object.hasOwn(HANDLERS, name);
}
