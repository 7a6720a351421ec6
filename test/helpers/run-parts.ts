import {
  type JsonObject,
  type RunEvent,
  runId,
  type RunState,
  serverName,
  type Task,
  taskId,
  toolId,
} from '../../src/core/index.js';
import type { RunOptions } from '../../src/executor/index.js';
import { isTransient } from '../../src/policy/index.js';

const FAKE = serverName('fake');

/** Tools whose name begins so are treated so; all others are writes that must not be repeated. */
const policyOf: RunOptions['policyOf'] = (tool) => {
  const name = tool.slice(tool.indexOf(':') + 1);
  if (name.startsWith('read')) return { risk: 'read', repeatable: true };
  if (name.startsWith('put')) return { risk: 'write', repeatable: true };
  if (name.startsWith('risky')) {
    return { risk: 'risky', repeatable: false, ask: { always: false, why: 'it is risky' } };
  }
  if (name.startsWith('asked')) {
    return { risk: 'write', repeatable: false, ask: { always: true, why: 'the user wants it' } };
  }
  return { risk: 'write', repeatable: false };
};

export const plainOptions: RunOptions = {
  concurrency: 4,
  serverConcurrency: () => 100,
  policyOf,
  checkArgs: () => undefined,
  checkResult: () => undefined,
  retries: 2,
  retryDelayMs: 1,
  isTransient,
  now: () => 0,
  isDurable: true,
};

/** A task of the tool with its own name; `tool` for another one, maybe of another server. */
export function task(
  id: string,
  needs: readonly string[] = [],
  {
    args = {},
    tool = id,
    timeoutMs,
  }: { args?: JsonObject; tool?: string; timeoutMs?: number } = {},
): Task {
  const [name = '', server] = tool.split('@');
  return {
    id: taskId(id),
    tool: toolId(server ? serverName(server) : FAKE, name),
    args,
    needs: needs.map(taskId),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

type Started = Extract<RunEvent, { type: 'run-started' }>;

export function startOf(tasks: readonly Task[], changed: Partial<Started> = {}): Started {
  return {
    type: 'run-started',
    run: runId('r1'),
    at: 0,
    tasks,
    approve: 'risky',
    context: {},
    ...changed,
  };
}

export function statuses({ tasks }: RunState): Readonly<Record<string, string>> {
  return Object.fromEntries(tasks.map((one) => [one.task.id, one.status]));
}
