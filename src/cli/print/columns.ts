/** Where the output is no terminal and no width is set. */
const DEFAULT_COLUMNS = 120;

/** How many characters a line has room for. */
export function screenColumns(
  stream: Pick<NodeJS.WriteStream, 'columns'> = process.stdout,
): number {
  // Some terminals do not tell their size.
  return stream.columns || Number(process.env['COLUMNS']) || DEFAULT_COLUMNS;
}

/** The same for tables and sentences. A pipe has no width: scripts get every cell and line whole. */
export function tableColumns(): number {
  return process.stdout.columns || Number(process.env['COLUMNS']) || Infinity;
}
