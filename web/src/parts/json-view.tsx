/** A JSON value as a tree that opens by levels. Long lists and texts come in portions. */
import { useState } from 'preact/hooks';

import { parseJson } from '../pure/parse-json.js';
import { Raw } from './code.js';

const PORTION = 100;
const SHOWN_CHARACTERS = 2_000;
const OPEN_LEVELS = 2;

/** What the daemon sends as text: JSON where it is JSON, else the text. */
export function JsonText({ text, label }: { readonly text: string; readonly label: string }) {
  const parsed = parseJson(text);
  if (!parsed || typeof parsed.value !== 'object') return <LongText text={text} label={label} />;
  return (
    <div class="code json" tabIndex={0} role="region" aria-label={label}>
      <Value value={parsed.value} level={0} />
    </div>
  );
}

function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [shown, setShown] = useState(SHOWN_CHARACTERS);
  return (
    <>
      <Raw text={text.slice(0, shown)} label={label} />
      {text.length > shown && (
        <button type="button" class="small" onClick={() => setShown(shown * 4)}>
          Show more ({text.length - shown} characters)
        </button>
      )}
    </>
  );
}

function Value({ value, level }: { readonly value: unknown; readonly level: number }) {
  if (typeof value === 'string') return <StringValue text={value} />;
  if (typeof value === 'number') return <span class="number">{value}</span>;
  if (typeof value !== 'object' || value === null) return <span class="word">{String(value)}</span>;
  return <Branch value={value} level={level} />;
}

function StringValue({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(SHOWN_CHARACTERS);
  return (
    <span class="string">
      {JSON.stringify(text.slice(0, shown))}
      {text.length > shown && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          … {text.length - shown} more
        </button>
      )}
    </span>
  );
}

function Branch({ value, level }: { readonly value: object; readonly level: number }) {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(PORTION);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const size = isList ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) return <span class="word">{isList ? '[]' : '{}'}</span>;
  return (
    <>
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? '▾' : '▸'} {size}
      </button>
      {isOpen && (
        <ul>
          {entries.slice(0, shown).map(([key, item]) => (
            <li key={key}>
              <span class="key">{key}</span>: <Value value={item} level={level + 1} />
            </li>
          ))}
          {entries.length > shown && (
            <li>
              <button type="button" onClick={() => setShown(shown + PORTION)}>
                {entries.length - shown} more
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
