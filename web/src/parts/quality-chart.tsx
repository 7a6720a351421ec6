import type { DayQuality } from '../../../src/control/contract/metrics.js';
import { formatShare } from '../pure/format.js';
import { Chart } from './chart.js';
import { Empty } from './states.js';

/** How often the first and one of the first three candidates was called, day by day. */
export function QualityChart({ days }: { readonly days: readonly DayQuality[] }) {
  const own = days.filter(({ algorithm }) => algorithm === 'discover');
  const last = own.at(-1);
  if (!last) {
    return (
      <Empty title="Nothing to measure yet">
        <p>It takes searches that were followed by a call.</p>
      </Empty>
    );
  }
  return (
    <Chart
      label={`Search quality by day, last ${last.day}: first candidate ${formatShare(last.hitAt1)}, first three ${formatShare(last.hitAt3)}`}
      times={own.map(({ day }) => Date.parse(day) / 1_000)}
      series={[
        { name: 'Hit@1', values: own.map(({ hitAt1 }) => hitAt1), color: 'accent' },
        { name: 'Hit@3', values: own.map(({ hitAt3 }) => hitAt3), color: 'ok' },
      ]}
      isShare
      isDaily
    />
  );
}
