/**
 * Keeps one statement, or one answer, at about a megabyte: PGlite's memory never shrinks again, and
 * what goes between its thread and ours is copied.
 */
const CHUNK_BYTES = 1_000_000;
const CHUNK_ROWS = 500;

/** Splits rows for one statement each, by their number and by their rough size in bytes. */
export function* rowChunks<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
): Generator<readonly Row[], void> {
  let start = 0;
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const size = sizeOf(row);
    if (index > start && (index - start >= CHUNK_ROWS || bytes + size > CHUNK_BYTES)) {
      yield rows.slice(start, index);
      [start, bytes] = [index, 0];
    }
    bytes += size;
  }
  if (start < rows.length) yield rows.slice(start);
}
