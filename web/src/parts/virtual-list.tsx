import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { windowRows } from '../pure/window-rows.js';

interface ListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (row: T) => string;
  readonly draw: (row: T) => ComponentChildren;
}

/** A long list of which only the part on the screen is drawn. */
export function VirtualList<T>({ label, rows, rowHeight, keyOf, draw }: ListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 800 });
  const measure = () => {
    const { current } = box;
    if (current) setView({ scrollTop: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(measure, []);
  const { from, to, before, after } = windowRows(rows.length, { ...view, rowHeight });
  return (
    <div class="virtual" ref={box} onScroll={measure} tabIndex={0} role="region" aria-label={label}>
      <ul style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}>
        {rows.slice(from, to).map((row) => (
          <li key={keyOf(row)}>{draw(row)}</li>
        ))}
      </ul>
    </div>
  );
}
