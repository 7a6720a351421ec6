import type { CopyColumn, Scalar } from './column.js';

const NAME = /^\p{L}[\p{L}.'-]*(?: \p{L}[\p{L}.'-]*){1,2}$/u;
const LEAST_NAMES = 2;

/** First and last words of columns that hold names of a few words: clients search for one of them. */
export function wordsOfNames(columns: readonly CopyColumn[]): readonly CopyColumn[] {
  return columns.flatMap(({ path, values }) => {
    if (values.length < LEAST_NAMES || !values.every(isName)) return [];
    const words = values.map((name) => String(name).split(' '));
    return [
      { path: `${path}#first`, values: words.map((own) => own[0]!) },
      { path: `${path}#last`, values: words.map((own) => own.at(-1)!) },
    ];
  });
}

function isName(value: Scalar): boolean {
  return typeof value === 'string' && NAME.test(value);
}
