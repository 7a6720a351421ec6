/** A row and a column that may be put together, and how good that is, above 0. */
export interface Pairing {
  readonly row: number;
  readonly column: number;
  readonly score: number;
}

/**
 * Puts each row together with at most one column and each column with at most one row, so that all
 * scores together are as high as they can be. The Hungarian method, with a column of its own for
 * each row that stays alone; time grows with rows² × columns.
 */
export function assignBest<One extends Pairing>(pairings: readonly One[]): readonly One[] {
  const rows = placesOf(pairings.map(({ row }) => row));
  const columns = placesOf(pairings.map(({ column }) => column));
  const width = columns.size + rows.size;
  const at = new Map<number, One>();
  const costs = new Float64Array((rows.size + 1) * (width + 1)).fill(1);
  for (const one of pairings) {
    const cell = rows.get(one.row)! * (width + 1) + columns.get(one.column)!;
    at.set(cell, one);
    costs[cell] = 1 - one.score;
  }
  const rowOf = matchRows(rows.size, width, (row, column) => costs[row * (width + 1) + column]!);
  return rowOf.flatMap((row, column) =>
    row > 0 ? (at.get(row * (width + 1) + column) ?? []) : [],
  );
}

/** Each once, in order, numbered from 1. */
function placesOf(numbers: readonly number[]): ReadonlyMap<number, number> {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  return new Map(sorted.map((number, place) => [number, place + 1]));
}

/** Of each column, from 1, its row, from 1, or 0; every row has a column, and the costs are least. */
function matchRows(
  height: number,
  width: number,
  cost: (row: number, column: number) => number,
): readonly number[] {
  const rowPrice = new Float64Array(height + 1);
  const columnPrice = new Float64Array(width + 1);
  const rowOf = Array.from({ length: width + 1 }, () => 0);
  for (let row = 1; row <= height; row++) {
    const cameFrom = new Int32Array(width + 1);
    const least = new Float64Array(width + 1).fill(Infinity);
    const isDone = new Uint8Array(width + 1);
    rowOf[0] = row;
    let column = 0;
    do {
      isDone[column] = 1;
      const current = rowOf[column]!;
      let [next, step] = [0, Infinity];
      for (let to = 1; to <= width; to++) {
        if (isDone[to]) continue;
        const reduced = cost(current, to) - rowPrice[current]! - columnPrice[to]!;
        if (reduced < least[to]!) {
          least[to] = reduced;
          cameFrom[to] = column;
        }
        if (least[to]! < step) [next, step] = [to, least[to]!];
      }
      for (let to = 0; to <= width; to++) {
        if (isDone[to]) {
          rowPrice[rowOf[to]!]! += step;
          columnPrice[to]! -= step;
        } else least[to]! -= step;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const before = cameFrom[column]!;
      rowOf[column] = rowOf[before]!;
      column = before;
    }
  }
  rowOf[0] = 0;
  return rowOf;
}
