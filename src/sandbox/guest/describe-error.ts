import type { Primordials } from './primordials.js';

/** The description of an error that left a script. */
export interface ErrorWords {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Errors in words. The script is named `script.js`, and one line stands before its first. */
export function makeErrorDescription(p: Primordials) {
  const place = /script\.js:(\d+)(?::(\d+))?/;
  const wrapperLines = 1;

  const textOf = (value: unknown, most: number): string => {
    const text = typeof value === 'string' ? value : p.text(value);
    return text.length > most ? `${p.slice(text, 0, most)}…` : text;
  };
  /** Reading a property of something thrown may run code of the script, which may throw again. */
  const read = (from: object, key: string): unknown => {
    try {
      return (from as Record<string, unknown>)[key];
    } catch {
      return undefined;
    }
  };
  const placeOf = (error: object) => {
    const stack = read(error, 'stack');
    const found = typeof stack === 'string' ? p.exec(place, stack) : null;
    if (!found) return { __proto__: null };
    const line = p.number(found[1]) - wrapperLines;
    const column = p.number(found[2]);
    return line > 0
      ? { __proto__: null, line, ...(column > 0 ? { column } : {}) }
      : { __proto__: null };
  };
  return (error: unknown): ErrorWords => {
    try {
      if (typeof error !== 'object' || error === null)
        return { name: 'Error', message: `thrown: ${textOf(error, 4000)}` };
      const name = read(error, 'name');
      const message = read(error, 'message');
      const code = read(error, 'code');
      return {
        name: typeof name === 'string' && name !== '' ? textOf(name, 200) : 'Error',
        message: message === undefined ? textOf(p.tag(error), 200) : textOf(message, 4000),
        ...(typeof code === 'string' ? { code: textOf(code, 200) } : {}),
        ...placeOf(error),
      };
    } catch {
      return { name: 'Error', message: 'an error that cannot be shown' };
    }
  };
}

export type DescribeError = ReturnType<typeof makeErrorDescription>;
