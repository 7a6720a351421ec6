/** A chart over time. Its code is loaded when the first one is shown. */
import { useEffect, useRef, useState } from 'preact/hooks';

import { isDark } from '../theme.js';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  readonly color: 'accent' | 'info' | 'ok' | 'bad' | 'warn';
}

export interface ChartProps {
  /** Says in words what the chart shows. */
  readonly label: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Values from 0 to 1. */
  readonly isShare?: boolean;
  readonly isDaily?: boolean;
}

export interface DrawnChart {
  update(props: ChartProps): void;
  destroy(): void;
}

export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<DrawnChart | undefined>();
  const latest = useRef(props);
  latest.current = props;
  const dark = isDark.value;

  useEffect(() => {
    let isGone = false;
    let drawn: DrawnChart | undefined;
    void import('./draw-chart.js').then(({ drawChart }) => {
      if (isGone || !box.current) return;
      drawn = drawChart(box.current, latest.current);
      setChart(drawn);
    });
    return () => {
      isGone = true;
      drawn?.destroy();
    };
  }, [dark, props.series.length]);
  useEffect(() => chart?.update(props), [chart, JSON.stringify([props.times, props.series])]);

  return (
    <figure class="chart">
      <div ref={box} class="chart-box" role="img" aria-label={props.label} />
      <figcaption class="row wrap-row small muted">
        {props.series.map(({ name, color }) => (
          <span key={name} class="row legend">
            <span class={`swatch ${color}`} aria-hidden="true" />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
