import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser';

import type { JsonValue } from '../../core/index.js';
import { insertKey } from './insert-key.js';
import { removeKey } from './remove-key.js';

export interface Change {
  readonly path: readonly string[];
  /** `undefined` removes the key. */
  readonly value: JsonValue | undefined;
}

/** Changes values in a text of JSON with comments and leaves every other byte as it is. */
export function editJsonc(text: string, changes: readonly Change[]): string {
  const formattingOptions = formattingOf(text);
  return changes.reduce((current, { path, value }) => {
    if (value === undefined) return removeKey(current, path);
    const inserted = insertKey(current, path, value);
    if (inserted !== undefined) return inserted;
    const source = current.trim() === '' ? `{}${formattingOptions.eol}` : current;
    return applyEdits(source, modify(source, [...path], value, { formattingOptions }));
  }, text);
}

/** The line ends and the indentation that the file already uses. */
function formattingOf(text: string): FormattingOptions & { eol: string } {
  const indent = /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return indent.includes('\t')
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indent.length, eol };
}
