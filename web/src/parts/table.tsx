/** Tables. Long ones draw only the rows on the screen, so thousands stay quick. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { windowRows } from '../pure/window-rows.js';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

interface TableProps<T> {
  /** What the table holds, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Marks the row that is shown beside the table. */
  readonly openKey?: string | undefined;
  readonly empty?: ComponentChildren;
  /** Rows may be higher than a line; then all are drawn. */
  readonly isLoose?: boolean;
}

const ROW_HEIGHT = 39;
const DRAWN_AT_ONCE = 150;

export function DataTable<T>(props: TableProps<T>) {
  const { rows, empty, isLoose = false } = props;
  if (rows.length === 0 && empty) return <>{empty}</>;
  return rows.length > DRAWN_AT_ONCE && !isLoose ? (
    <WindowTable {...props} />
  ) : (
    <div class="table-box" tabIndex={0} role="region" aria-label={props.label}>
      <TableOf {...props} shown={rows} before={0} after={0} />
    </div>
  );
}

function WindowTable<T>(props: TableProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const measure = () => {
    const { current } = box;
    if (current) setView({ scrollTop: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(measure, []);
  const { from, to, before, after } = windowRows(props.rows.length, {
    ...view,
    rowHeight: ROW_HEIGHT,
  });
  return (
    <div
      class="table-box tall"
      ref={box}
      onScroll={measure}
      tabIndex={0}
      role="region"
      aria-label={`${props.label}, ${props.rows.length} rows`}
    >
      <TableOf {...props} shown={props.rows.slice(from, to)} before={before} after={after} />
    </div>
  );
}

interface ShownRows<T> extends TableProps<T> {
  readonly shown: readonly T[];
  readonly before: number;
  readonly after: number;
}

function TableOf<T>(props: ShownRows<T>) {
  const { label, columns, shown, keyOf, before, after, isLoose, openKey, rows } = props;
  return (
    <table class={isLoose ? '' : 'fixed-rows'} aria-rowcount={rows.length + 1}>
      <caption class="hidden-text">{label}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" class={isNumber ? 'num' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {before > 0 && <Spacer height={before} span={columns.length} />}
        {shown.map((row) => (
          <tr key={keyOf(row)} class={openKey === keyOf(row) ? 'is-open' : ''}>
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} class={isNumber ? 'num' : ''}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
        {after > 0 && <Spacer height={after} span={columns.length} />}
      </tbody>
    </table>
  );
}

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    <tr class="spacer" aria-hidden="true">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  );
}
