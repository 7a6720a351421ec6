import { type JsonObject, messageOf, PmlError } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import type { Caller } from '../../servers/index.js';
import type { RequestContext } from '../../tools/index.js';
import { listenToRun } from '../run/listen-to-run.js';
import type { Workflows } from '../workflows.js';
import { dialogOf, messageIn } from './human-dialog.js';
import { askedOfPerson } from './who-approves.js';

/** Open dialogs by session: if an agent waits again, its user must not see a second dialog. */
const OPEN = new WeakMap<LiveRun, Map<string, Promise<boolean>>>();

/**
 * Asks the user about a paused run, if the client can. True if the run is decided, by that answer
 * or by another client first; false if no answer will come, or if the agent has to decide. Never
 * rejects: the dialog outlives the request that opened it.
 */
export async function askHuman(
  workflows: Workflows,
  live: LiveRun,
  { caller }: RequestContext,
): Promise<boolean> {
  if (
    !caller.capabilities['elicitation'] ||
    askedOfPerson(workflows.tools, live.state).length === 0
  )
    return false;
  // In the stateless revision a question belongs to the request that it ends.
  if (caller.era === 'modern') return ask(workflows, live, caller);
  const open = OPEN.get(live) ?? new Map<string, Promise<boolean>>();
  OPEN.set(live, open);
  const known = open.get(caller.session);
  if (known) return known;
  const asked = ask(workflows, live, caller).finally(() => open.delete(caller.session));
  open.set(caller.session, asked);
  return asked;
}

async function ask(workflows: Workflows, live: LiveRun, caller: Caller): Promise<boolean> {
  const decided = new AbortController();
  const before = live.state.decisions.length;
  const close = workflows.dialogs.open(live);
  const onEvent = () => {
    if (live.state.decisions.length === before) return;
    // A client may show the dialog for longer, but the run is already decided.
    close();
    decided.abort();
  };
  const stop = listenToRun(live, onEvent, workflows.log);
  const { message, requestedSchema, tasks, read } = dialogOf(
    live.state,
    askedOfPerson(workflows.tools, live.state),
  );
  const leave = () => {
    if (!decided.signal.aborted) workflows.dialogs.leave(live, tasks);
    return decided.signal.aborted;
  };
  try {
    const request: JsonObject = { message, requestedSchema };
    const answer = await caller.ask('elicitation/create', request, decided.signal);
    const command = read(answer);
    if (!command) return leave();
    if (decided.signal.aborted) throw withdrawn(live);
    const said = messageIn(answer);
    await live.decide(command, 'human', said === undefined ? {} : { message: said });
    return true;
  } catch (error) {
    if (error instanceof PmlError && TOO_LATE.has(error.code)) {
      const data = `Your answer came too late. ${error.message}`;
      caller.tell('notifications/message', { level: 'notice', logger: 'pml', data });
      return true;
    }
    if (leave()) return true;
    // The answer to the agent contains the question.
    workflows.log.debug('user not asked', { run: live.state.run, error: messageOf(error) });
    return false;
  } finally {
    close();
    stop();
  }
}

/** Another client decided first, so the calls that the user saw may have changed. */
function withdrawn({ state: { run } }: LiveRun): PmlError {
  return new PmlError('RUN_DECIDED', `Another client or user has already decided about run ${run}`);
}

const TOO_LATE: ReadonlySet<string> = new Set(['RUN_DECIDED', 'RUN_FINISHED']);
