import { type DiffLine } from '../pure/diff-lines.js';
import { highlight } from '../pure/highlight.js';

/** A script with colours. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      <code>
        {highlight(text).map(({ kind, text: part }, place) =>
          kind === 'plain' ? (
            part
          ) : (
            <span key={place} class={kind}>
              {part}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

/** Plain text as it is, such as raw JSON. */
export function Raw({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre class="code wrap" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

export function Diff({
  lines,
  label,
  isSigned = false,
}: {
  readonly lines: readonly DiffLine[];
  readonly label: string;
  /** The lines bring their own signs. */
  readonly isSigned?: boolean;
}) {
  return (
    <div class="code diff mono" tabIndex={0} role="region" aria-label={label}>
      {lines.map(({ kind, text }, place) => (
        <div key={place} class={kind}>
          {!isSigned && <span aria-hidden="true">{SIGNS[kind]} </span>}
          <span class="hidden-text">{WORDS[kind]}</span>
          {text}
        </div>
      ))}
    </div>
  );
}
