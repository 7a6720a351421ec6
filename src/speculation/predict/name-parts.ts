import type { CopyColumn } from './column.js';

const NAME = /^\p{L}[\p{L}.'-]*(?: \p{L}[\p{L}.'-]*){1,2}$/u;
const LEAST_NAMES = 2;

/** First and last words of columns that hold names of a few words: clients search for one of them. */
export function nameParts(columns: readonly CopyColumn[]): readonly CopyColumn[] {
  return columns.flatMap(({ path, values }) => {
    if (values.length < LEAST_NAMES) return [];
    const names = values.filter((value): value is string => typeof value === 'string' && NAME.test(value));
    if (names.length < values.length) return [];
    const words = names.map((name) => name.split(' '));
    return [
      { path: `${path}#first`, values: words.map((own) => own[0]!) },
      { path: `${path}#last`, values: words.map((own) => own.at(-1)!) },
    ];
  });
}
