/** What a person may decide about a run, with a reason. */
import { useState } from 'preact/hooks';

import type { RunTaskInfo } from '../../../src/control/contract/runs.js';
import { ask } from '../api.js';
import { ActionButton } from './action-button.js';
import { Dialog } from './dialog.js';

export type Decision = 'approve' | 'reject' | 'retry' | 'skip' | 'abort';

const WORDS: Readonly<Record<Decision, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  retry: 'Retry',
  skip: 'Skip',
  abort: 'Abort run',
};

/** Which decisions the state of a task leaves open. */
export function decisionsFor(status: RunTaskInfo['status']): readonly Decision[] {
  if (status === 'needs_approval') return ['approve', 'reject', 'skip'];
  return status === 'failed' || status === 'in_doubt' ? ['retry', 'skip'] : [];
}

async function decide(
  run: string,
  decision: Decision,
  { tasks, message }: { readonly tasks?: readonly string[]; readonly message?: string } = {},
): Promise<void> {
  await ask('run-decide', {
    run,
    decision,
    ...(tasks && tasks.length > 0 && { tasks: [...tasks] }),
    ...(message && { message }),
  });
}

interface DecisionProps {
  readonly run: string;
  readonly tasks?: readonly string[];
  readonly decisions: readonly Decision[];
}

/** Approving takes one click; everything that gives something up asks for a reason first. */
export function DecisionButtons({ run, tasks = [], decisions }: DecisionProps) {
  const [asked, setAsked] = useState<Decision | undefined>();
  if (decisions.length === 0) return null;
  return (
    <div class="row wrap-row">
      {decisions.map((decision) =>
        decision === 'approve' || decision === 'retry' ? (
          <ActionButton
            key={decision}
            text={WORDS[decision]}
            kind={decision === 'approve' ? 'primary' : ''}
            act={() => decide(run, decision, { tasks })}
          />
        ) : (
          <button
            key={decision}
            type="button"
            class={decision === 'skip' ? '' : 'danger'}
            onClick={() => setAsked(decision)}
          >
            {WORDS[decision]}
          </button>
        ),
      )}
      {asked && (
        <ReasonDialog
          run={run}
          tasks={tasks}
          decision={asked}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function ReasonDialog({
  run,
  tasks,
  decision,
  onClose,
}: {
  readonly run: string;
  readonly tasks: readonly string[];
  readonly decision: Decision;
  readonly onClose: () => void;
}) {
  const [message, setMessage] = useState('');
  const what = decision === 'abort' ? run : tasks.join(', ');
  return (
    <Dialog
      title={WORDS[decision]}
      action={WORDS[decision]}
      isDangerous={decision !== 'skip'}
      onClose={onClose}
      onConfirm={() =>
        decide(run, decision, decision === 'abort' ? { message } : { tasks, message })
      }
    >
      <p class="wrap muted">
        {decision === 'abort' ? 'Run' : 'Task'} <code>{what}</code>
      </p>
      <label class="field">
        Reason (optional)
        <textarea
          rows={3}
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
        <small>The agent and the history of the run show it.</small>
      </label>
    </Dialog>
  );
}
