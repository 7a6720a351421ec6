import { metrics } from '../../live.js';
import { Chart } from '../../parts/chart.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { linkTo } from '../../router.js';

/** Calls in each of the last 60 minutes. */
export function CallsCard() {
  const tick = metrics.value;
  if (!tick) return null;
  const { callsPerMinute, failuresPerMinute, at } = tick;
  const end = Math.floor(Date.parse(at) / 60_000) * 60;
  const times = callsPerMinute.map((_, place) => end - (callsPerMinute.length - 1 - place) * 60);
  const total = callsPerMinute.reduce((sum, count) => sum + count, 0);
  return (
    <Card title="Calls per minute" aside={<a href={linkTo(['activity'])}>Activity</a>}>
      {total === 0 ? (
        <Empty title="No calls in the last hour" />
      ) : (
        <Chart
          label={`Calls per minute in the last hour: ${total} in all, ${Math.max(...callsPerMinute)} at most`}
          times={times}
          series={[
            { name: 'calls', values: callsPerMinute, color: 'info' },
            { name: 'failed', values: failuresPerMinute, color: 'bad' },
          ]}
        />
      )}
    </Card>
  );
}
