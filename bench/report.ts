import { cpus, loadavg } from 'node:os';

export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Against the baseline of the same run, where there is one. */
  readonly ratio?: number;
  /** Measurements behind the value, which is their median. */
  readonly n?: number;
}

export interface Report {
  readonly bench: string;
  readonly machine: string;
  readonly rows: readonly Row[];
  /** What to show instead of the rows. */
  readonly text?: string;
}

export function createReport(bench: string, rows: readonly Row[]): Report {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  const machine = `Node ${process.version}, ${cpus().length} cores, load ${load}`;
  return { bench, machine, rows };
}

export function showReport({ bench, machine, rows, text }: Report): string {
  if (text !== undefined) return `${bench} (${machine})\n${text}`;
  const cells = rows.map(({ name, value, unit, ratio, n }) => [
    name,
    `${format(value)} ${unit}`,
    ratio === undefined ? '' : `${format(ratio)}×`,
    n === undefined ? '' : `n=${n}`,
  ]);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${bench} (${machine})\n${lines.join('\n')}\n`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** The value that the given share of all lies below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

function format(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}
