import type { DayQuality } from '../../../../src/control/contract/metrics.js';
import { Chart } from '../../parts/chart.js';
import { Empty } from '../../parts/states.js';
import { formatShare } from '../../pure/format.js';

/** The share of suggested plans that agents took exactly. */
export function PlanHistory({ days }: { readonly days: readonly DayQuality[] }) {
  const own = days.flatMap(({ day, plans }) =>
    plans && plans.plans > 0 ? [{ day, ...plans }] : [],
  );
  const last = own.at(-1);
  if (!last) {
    return (
      <Empty title="No plans were suggested yet">
        <p>It takes suggested plans that an agent ran.</p>
      </Empty>
    );
  }
  return (
    <Chart
      label={`Plans taken exactly by day, last ${last.day}: ${formatShare(last.exactly)} of ${last.plans}`}
      times={own.map(({ day }) => Date.parse(day) / 1_000)}
      series={[{ name: 'taken exactly', values: own.map(({ exactly }) => exactly), color: 'info' }]}
      isShare
      isDaily
    />
  );
}
