import type { ControlMethod } from '../../control/index.js';
import { type JsonObject, PmlError } from '../../core/index.js';

/** What a browser may ask; the daemon itself is started, stopped and opened by commands alone. */
export const SERVED_METHODS: ReadonlySet<ControlMethod> = new Set<ControlMethod>([
  'status',
  'memory',
  'tools',
  'refresh',
  'approve',
  'block',
  'changes',
  'tool-policies',
  'search',
  'explain',
  'metrics-ranking',
  'metrics-reliability',
  'metrics-speculation',
  'metrics-history',
  'activity',
  'activity-show',
  'questions',
  'run-start',
  'runs',
  'run-show',
  'run-events',
  'run-decide',
  'capabilities',
  'capability-show',
  'capability-change',
  'capabilities-verify',
  'graph-stats',
  'graph-show',
  'graph-view',
  'graph-path',
  'graph-progress',
]);

export function isServed(method: string): method is ControlMethod {
  return SERVED_METHODS.has(method as ControlMethod);
}

/** A browser runs capabilities; workflows and how often they stop come from agents and commands. */
export function servedParams(method: ControlMethod, params: JsonObject): JsonObject {
  if (method !== 'run-start') return params;
  const { capability, args, mode } = params;
  if (typeof capability !== 'string') {
    throw new PmlError('BAD_REQUEST', 'run-start runs a capability here: give "capability"');
  }
  return {
    capability,
    ...(args !== undefined && { args }),
    ...(mode !== undefined && { mode }),
  };
}
