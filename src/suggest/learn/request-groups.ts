import { type ExecutionTrace, inParts } from '../../core/index.js';
import { type GroupedRequest, nearGroups } from '../../learning/index.js';
import { requestWords } from '../../words/index.js';

const READ_AT_ONCE = 500;

/**
 * The group of each execution. Executions of one session, and executions whose requests use the same
 * words, share a group: an execution must not judge what was learned from its own group.
 */
export async function requestGroups(
  traces: Iterable<ExecutionTrace>,
  pause: () => Promise<void>,
): Promise<(trace: ExecutionTrace) => string> {
  const requests: GroupedRequest[] = [];
  for (const some of inParts(traces, READ_AT_ONCE)) {
    for (const trace of some) {
      requests.push({
        group: sessionOf(trace),
        words: requestWords(trace.intent).words.join(' '),
      });
    }
    await pause();
  }
  const groupOf = nearGroups(requests);
  return (trace) => groupOf(sessionOf(trace));
}

function sessionOf({ id, group = id }: ExecutionTrace): string {
  return group;
}
