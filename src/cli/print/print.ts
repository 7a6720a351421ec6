import pc from 'picocolors';

/** Results of a command. Commands other than `serve` own stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(jsonText(value));
}

/** JSON escapes only the older control characters; a terminal obeys more. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) =>
    mark
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Rows as aligned columns; colours do not count as width. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, visible(cell));
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const count = (value: number): string => value.toLocaleString('en-US');

export const heading = (text: string): string => pc.bold(text);

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const COLOURS = /\u001B\[\d+m/g;

function visible(text: string): number {
  return text.replaceAll(COLOURS, '').length;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visible(text)));
}
