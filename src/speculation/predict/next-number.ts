/** Counting on: the next page, the next rows, the next part. */

/** As far as the last time; by one; by the span between two numbers of the call (rows 1 to 50). */
export function nextNumbers(
  last: number,
  before: number | undefined,
  numbers: readonly number[],
): readonly (number | undefined)[] {
  const again = before === undefined || before === last ? undefined : 2 * last - before;
  const others = numbers.filter((number) => number !== last);
  const other = others.find((number) => Number.isInteger(number));
  const isSpan = other !== undefined && Number.isInteger(last);
  const span = isSpan ? last + Math.abs(other - last) + 1 : undefined;
  const size = other !== undefined && other > 1 ? last + other : undefined;
  return [again, last + 1, span, size];
}

const LAST_NUMBER = /^(.*?)(\d{1,9})(\D*)$/s;

/** The text with its last number counted on: `scores_2501` becomes `scores_2502`. */
export function numberedText(last: string, before: string | undefined): string | undefined {
  if (last.length > 400) return undefined;
  const found = LAST_NUMBER.exec(last);
  if (!found) return undefined;
  const [, head = '', digits = '', tail = ''] = found;
  const step = before === undefined ? 1 : stepBetween(before, head, Number(digits), tail);
  if (step === undefined) return undefined;
  return `${head}${String(Number(digits) + step).padStart(digits.length, '0')}${tail}`;
}

function stepBetween(
  before: string,
  head: string,
  number: number,
  tail: string,
): number | undefined {
  const found = LAST_NUMBER.exec(before);
  if (!found || found[1] !== head || found[3] !== tail) return 1;
  const step = number - Number(found[2]);
  return step === 0 ? undefined : step;
}
