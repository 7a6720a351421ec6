/**
 * Reverse-mode derivatives over small matrices: enough for the model of the seed, and checked against
 * numbers in `test/autograd.test.ts`. Nothing of the product uses it.
 */

/** A matrix, row by row, with the slope of the loss along each of its numbers. */
export class Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
  readonly slopes: Float64Array;
  /** Whether nothing asks for its slopes. */
  readonly isGiven: boolean;

  constructor(rows: number, columns: number, values?: ArrayLike<number>, isGiven = false) {
    this.isGiven = isGiven;
    this.rows = rows;
    this.columns = columns;
    this.values = values ? Float64Array.from(values) : new Float64Array(rows * columns);
    this.slopes = new Float64Array(rows * columns);
  }
}

/** What was computed, so that slopes can go back the same way. */
export class Tape {
  readonly #back: (() => void)[] = [];

  /** Goes back from losses whose slopes are set. */
  backward(): void {
    for (const step of this.#back.toReversed()) step();
    this.#back.length = 0;
  }

  multiply(left: Matrix, right: Matrix): Matrix {
    const out = new Matrix(left.rows, right.columns);
    const inner = left.columns;
    eachCell(out, (row, column, at) => {
      let sum = 0;
      for (let k = 0; k < inner; k++) {
        sum += left.values[row * inner + k]! * right.values[k * right.columns + column]!;
      }
      out.values[at] = sum;
    });
    this.#back.push(() => {
      eachCell(out, (row, column, at) => {
        const slope = out.slopes[at]!;
        if (slope === 0) return;
        for (let k = 0; k < inner; k++) {
          const [one, other] = [row * inner + k, k * right.columns + column];
          if (!left.isGiven) left.slopes[one]! += slope * right.values[other]!;
          right.slopes[other]! += slope * left.values[one]!;
        }
      });
    });
    return out;
  }

  /** Adds a matrix of the same form, or one row to every row. */
  add(left: Matrix, right: Matrix): Matrix {
    const other = (at: number) => (right.rows === 1 ? at % right.columns : at);
    const values = left.values.map((value, at) => value + right.values[other(at)]!);
    const out = new Matrix(left.rows, left.columns, values);
    this.#back.push(() => {
      out.slopes.forEach((slope, at) => {
        left.slopes[at]! += slope;
        right.slopes[other(at)]! += slope;
      });
    });
    return out;
  }

  /** Number by number. */
  times(left: Matrix, right: Matrix): Matrix {
    const values = left.values.map((value, at) => value * right.values[at]!);
    const out = new Matrix(left.rows, left.columns, values);
    this.#back.push(() => {
      out.slopes.forEach((slope, at) => {
        left.slopes[at]! += slope * right.values[at]!;
        right.slopes[at]! += slope * left.values[at]!;
      });
    });
    return out;
  }

  relu(of: Matrix): Matrix {
    return this.#each(
      of,
      (value) => Math.max(0, value),
      (value) => (value > 0 ? 1 : 0),
    );
  }

  sigmoid(of: Matrix): Matrix {
    return this.#each(
      of,
      (value) => 1 / (1 + Math.exp(-value)),
      (_, result) => result * (1 - result),
    );
  }

  /** Adds up the columns of each of so many groups. */
  sumGroups(of: Matrix, groups: number): Matrix {
    const out = new Matrix(of.rows, groups);
    const size = of.columns / groups;
    const placeOf = (at: number) =>
      Math.floor(at / of.columns) * groups + Math.floor((at % of.columns) / size);
    of.values.forEach((value, at) => (out.values[placeOf(at)]! += value));
    this.#back.push(() => {
      of.slopes.forEach((_, at) => (of.slopes[at]! += out.slopes[placeOf(at)]!));
    });
    return out;
  }

  /** Softmax over each list of places in a column; what is in no list stays 0. */
  softmax(of: Matrix, lists: readonly (readonly number[])[]): Matrix {
    const out = new Matrix(of.rows, of.columns);
    for (const list of lists) {
      const most = Math.max(...list.map((at) => of.values[at]!));
      const total = list.reduce((sum, at) => sum + Math.exp(of.values[at]! - most), 0);
      for (const at of list) out.values[at] = Math.exp(of.values[at]! - most) / total;
    }
    this.#back.push(() => {
      for (const list of lists) {
        const mean = list.reduce((sum, at) => sum + out.values[at]! * out.slopes[at]!, 0);
        for (const at of list) of.slopes[at]! += out.values[at]! * (out.slopes[at]! - mean);
      }
    });
    return out;
  }

  #each(
    of: Matrix,
    value: (one: number) => number,
    slope: (one: number, result: number) => number,
  ): Matrix {
    const out = new Matrix(of.rows, of.columns, of.values.map(value));
    this.#back.push(() => {
      of.values.forEach((one, at) => {
        of.slopes[at]! += out.slopes[at]! * slope(one, out.values[at]!);
      });
    });
    return out;
  }
}

function eachCell(
  { rows, columns }: Matrix,
  visit: (row: number, column: number, at: number) => void,
): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) visit(row, column, row * columns + column);
  }
}

/** Moves parameters down their slopes, and clears these. */
export class AdamDescent {
  readonly #parameters: readonly Matrix[];
  readonly #means: readonly Float64Array[];
  readonly #squares: readonly Float64Array[];
  #steps = 0;

  constructor(parameters: readonly Matrix[]) {
    this.#parameters = parameters;
    this.#means = parameters.map(({ values }) => new Float64Array(values.length));
    this.#squares = parameters.map(({ values }) => new Float64Array(values.length));
  }

  step(rate: number, decay: number): void {
    this.#steps += 1;
    const [early, settled] = [1 - 0.9 ** this.#steps, 1 - 0.999 ** this.#steps];
    this.#parameters.forEach(({ values, slopes }, which) => {
      const [means, squares] = [this.#means[which]!, this.#squares[which]!];
      for (let at = 0; at < values.length; at++) {
        const slope = slopes[at]! + decay * values[at]!;
        means[at] = 0.9 * means[at]! + 0.1 * slope;
        squares[at] = 0.999 * squares[at]! + 0.001 * slope * slope;
        values[at]! -= (rate * (means[at]! / early)) / (Math.sqrt(squares[at]! / settled) + 1e-8);
        slopes[at] = 0;
      }
    });
  }
}
