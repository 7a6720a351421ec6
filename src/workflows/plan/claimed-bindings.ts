import type { ExecutionTrace } from '../../core/index.js';
import { type BindingClaim, replayBindings } from '../../planner/index.js';
import type { Workflows } from '../workflows.js';
import { plannablesOf } from './plannable-capabilities.js';

/**
 * Replays past executions: for each value, the planner as shipped claims a source with the knowledge from before
 * that execution, and the execution shows whether the claim is right. A value that PML chose itself
 * proves nothing.
 */
export function claimedBindings(
  workflows: Pick<Workflows, 'planning' | 'tools'>,
  pause: () => Promise<void>,
): Promise<readonly BindingClaim[]> {
  const traces: ExecutionTrace[] = [];
  for (const trace of workflows.tools.discovery.traces) if (mayBind(trace)) traces.push(trace);
  const called = new Set(traces.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  return replayBindings(traces, {
    tools: plannablesOf(workflows, called),
    isMeant: ({ origin, part }) => origin === undefined && !part,
    pause,
  });
}

/** A single call took its values from nowhere, so it says nothing about bindings. */
export function mayBind({ calls, bindings }: ExecutionTrace): boolean {
  return calls.length > 1 || bindings.length > 0;
}
