/** Which rows of a long list are on the screen, with some around them. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

const SPARE_ROWS = 12;

export function windowRows(
  count: number,
  {
    rowHeight,
    scrollTop,
    height,
  }: { readonly rowHeight: number; readonly scrollTop: number; readonly height: number },
): RowWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight) - SPARE_ROWS;
  const shown = Math.ceil(height / rowHeight) + 2 * SPARE_ROWS;
  const from = Math.max(0, Math.min(first, count - shown));
  const to = Math.min(count, from + shown);
  return { from, to, before: from * rowHeight, after: (count - to) * rowHeight };
}
