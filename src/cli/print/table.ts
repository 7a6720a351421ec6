import { tableColumns } from './columns.js';
import { cutText, textWidth, wrapLine } from './fit-text.js';

type Row = readonly string[];

const GAP = 2;
/** A column that has less room than this says nothing. */
const LEAST_WIDTH = 6;
const LEAST_VALUE = 20;

/** Rows as aligned columns; where they do not fit, the widest cells are cut. */
export function table(rows: readonly Row[], columns = tableColumns()): string {
  const widths = fitWidths(widthsOf(rows), columns);
  return rows
    .map((row) =>
      row
        .map((cell, place) => pad(cutText(cell, widths[place] ?? 0), widths[place] ?? 0))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n');
}

/** Names with values; a long value goes on below itself. */
export function fields(rows: readonly Row[], columns = tableColumns()): string {
  const [width = 0] = widthsOf(rows);
  const room = Math.max(LEAST_VALUE, columns - width - GAP);
  return rows
    .flatMap(([name = '', value = '']) =>
      wrapLine(value, room).map((line, place) =>
        `${pad(place === 0 ? name : '', width)}${' '.repeat(GAP)}${line}`.trimEnd(),
      ),
    )
    .join('\n');
}

function widthsOf(rows: readonly Row[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, place) => {
      widths[place] = Math.max(widths[place] ?? 0, textWidth(cell));
    });
  }
  return widths;
}

/** The first column names the row, so it is cut only where cutting the others is not enough. */
function fitWidths(widths: readonly number[], columns: number): readonly number[] {
  const [first = 0, ...rest] = widths;
  const room = columns - GAP * (widths.length - 1);
  const cap = capFor(rest, room - first);
  if (cap >= LEAST_WIDTH) return [first, ...rest.map((width) => Math.min(width, cap))];
  const all = Math.max(1, capFor(widths, room));
  return widths.map((width) => Math.min(width, all));
}

/** The largest width that no column may exceed for all of them to fit. */
function capFor(widths: readonly number[], room: number): number {
  let left = room;
  const rising = widths.toSorted((a, b) => a - b);
  for (const [place, width] of rising.entries()) {
    const share = Math.floor(left / (rising.length - place));
    if (width > share) return share;
    left -= width;
  }
  return Infinity;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
