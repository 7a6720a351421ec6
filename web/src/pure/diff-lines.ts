/** Lines that one text has and the other has not. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Longer texts are compared by their common beginning and end only. */
const MOST_CELLS = 4_000_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const same = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(old.slice(0, start)),
    ...between(old.slice(start, old.length - tail), now.slice(start, now.length - tail)),
    ...same(old.slice(old.length - tail)),
  ];
}

function between(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (old.length * now.length > MOST_CELLS) return [...old.map(removed), ...now.map(added)];
  const lengths = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let a = 0;
  let b = 0;
  while (a < old.length && b < now.length) {
    if (old[a] === now[b]) {
      lines.push({ kind: 'same', text: old[a]! });
      a++;
      b++;
    } else if (lengths[a + 1]![b]! >= lengths[a]![b + 1]!) lines.push(removed(old[a++]!));
    else lines.push(added(now[b++]!));
  }
  return [...lines, ...old.slice(a).map(removed), ...now.slice(b).map(added)];
}

/** How many lines the rests from every pair of places have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = now.length - 1; b >= 0; b--) {
      table[a]![b] =
        old[a] === now[b]
          ? table[a + 1]![b + 1]! + 1
          : Math.max(table[a + 1]![b]!, table[a]![b + 1]!);
    }
  }
  return table;
}

/** Lines as the daemon gives them: `- old`, `+ new`. */
export function readDiff(lines: readonly string[]): readonly DiffLine[] {
  return lines.map((line) => ({
    kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same',
    text: line,
  }));
}
