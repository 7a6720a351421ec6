/**
 * Edits (insert, delete, replace, swap two neighbours) that turn one word into the other; anything
 * beyond `limit` is answered as `limit + 1`, which lets most pairs be refused after a row or two.
 */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = nextRow(from, to, { row, last, beforeLast });
    if (Math.min(...current) > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[to.length] ?? 0, limit + 1);
}

interface Rows {
  readonly row: number;
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
}

function nextRow(from: string, to: string, { row, last, beforeLast }: Rows): number[] {
  const current = [row];
  for (let column = 1; column <= to.length; column++) {
    const same = from[row - 1] === to[column - 1];
    const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
    current[column] = Math.min(
      (last[column] ?? 0) + 1,
      (current[column - 1] ?? 0) + 1,
      (last[column - 1] ?? 0) + (same ? 0 : 1),
      row > 1 && column > 1 && swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
    );
  }
  return current;
}

/** The known word a mistyped one most likely meant, if any is near enough to say so. */
export function closestWord(word: string, known: Iterable<string>): string | undefined {
  const limit = Math.ceil((word.length - 2) / 3);
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit);
    if (distance <= limit && distance < (best?.distance ?? Infinity)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}
