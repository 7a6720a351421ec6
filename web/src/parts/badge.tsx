/** A status in words and a colour; the words alone say everything. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle';

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'ok',
  ok: 'ok',
  active: 'ok',
  allow: 'ok',
  same: 'ok',
  read: 'idle',
  running: 'info',
  starting: 'info',
  write: 'info',
  added: 'info',
  approved: 'ok',
  needs_approval: 'warn',
  needs_decision: 'warn',
  in_doubt: 'warn',
  ask: 'warn',
  rejected: 'warn',
  quarantined: 'warn',
  changed: 'warn',
  failed: 'bad',
  failing: 'bad',
  error: 'bad',
  damaged: 'bad',
  risky: 'bad',
  deny: 'bad',
  gone: 'bad',
  blocked: 'bad',
};
const MOVING = new Set(['running', 'starting']);
const WORDS: Readonly<Record<string, string>> = {
  needs_approval: 'needs approval',
  needs_decision: 'needs decision',
  in_doubt: 'in doubt',
};

export function toneOf(status: string): Tone {
  return TONES[status] ?? 'idle';
}

export function StatusBadge({ status }: { readonly status: string }) {
  const moving = MOVING.has(status) ? ' busy' : '';
  return <span class={`badge ${toneOf(status)}${moving}`}>{WORDS[status] ?? status}</span>;
}

export function Tag({ text, tone = 'idle' }: { readonly text: string; readonly tone?: Tone }) {
  return <span class={`badge plain ${tone}`}>{text}</span>;
}
