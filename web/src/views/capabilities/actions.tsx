import { useState } from 'preact/hooks';

import type { CapabilityDetails } from '../../../../src/control/contract/capabilities.js';
import { ask } from '../../api.js';
import { ActionButton } from '../../parts/action-button.js';
import { Dialog } from '../../parts/dialog.js';
import { goTo, linkTo } from '../../router.js';

interface ActionsProps {
  readonly details: CapabilityDetails;
  readonly reload: () => void;
}

export function CapabilityActions({ details, reload }: ActionsProps) {
  const { name, isPinned, status } = details;
  const [asked, setAsked] = useState<'rename' | 'disable' | undefined>();
  const [verified, setVerified] = useState<string | undefined>();
  const change = async (action: 'pin' | 'unpin' | 'enable') => {
    await ask('capability-change', { name, action });
    reload();
  };
  const verify = async () => {
    const answer = await ask('capabilities-verify', { name });
    setVerified(answer.verified.map(wordsOf).join('; '));
    reload();
  };
  return (
    <>
      <a class="button" href={linkTo(['graph'], { mode: 'calls', of: `cap:${name}` })}>
        Calls
      </a>
      <ActionButton
        text={isPinned ? 'Unpin' : 'Pin'}
        act={() => change(isPinned ? 'unpin' : 'pin')}
      />
      <ActionButton text="Verify" act={verify} />
      <button type="button" onClick={() => setAsked('rename')}>
        Rename
      </button>
      {status === 'disabled' ? (
        <ActionButton text="Enable" act={() => change('enable')} />
      ) : (
        <button type="button" class="danger" onClick={() => setAsked('disable')}>
          Disable
        </button>
      )}
      {verified !== undefined && (
        <span class="small" role="status">
          {verified}
        </span>
      )}
      {asked === 'rename' && <Rename name={name} onClose={() => setAsked(undefined)} />}
      {asked === 'disable' && (
        <Disable name={name} onClose={() => setAsked(undefined)} reload={reload} />
      )}
    </>
  );
}

function wordsOf(one: {
  readonly kind: string;
  readonly reason?: string;
  readonly tools?: readonly string[];
}): string {
  const why =
    one.reason ?? (one.tools && `it calls ${one.tools.join(', ')}: run it with the form below`);
  return `${one.kind.replace('-', ' ')}${why ? `: ${why}` : ''}`;
}

function Rename({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [to, setTo] = useState(name);
  return (
    <Dialog
      title="Rename the capability"
      action="Rename"
      onClose={onClose}
      onConfirm={async () => {
        await ask('capability-change', { name, action: 'rename', to });
        goTo(['capabilities', to]);
      }}
    >
      <label class="field">
        New name
        <input required value={to} onInput={(event) => setTo(event.currentTarget.value)} />
        <small>The old name keeps working.</small>
      </label>
    </Dialog>
  );
}

interface DisableProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly reload: () => void;
}

function Disable({ name, onClose, reload }: DisableProps) {
  const [reason, setReason] = useState('');
  return (
    <Dialog
      title={`Disable ${name}`}
      action="Disable"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await ask('capability-change', { name, action: 'disable', ...(reason && { reason }) });
        reload();
      }}
    >
      <label class="field">
        Reason (optional)
        <textarea
          rows={2}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
