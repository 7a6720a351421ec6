import type { MetricsTick } from '../contract/events.js';
import type { ControlledDaemon } from '../controlled-daemon.js';

/** Numbers that change all the time. */
export function metricsTick(
  { workflows: { runs, tools } }: Pick<ControlledDaemon, 'workflows'>,
  now: number,
): MetricsTick {
  const { calls, failures } = tools.activity.perMinute(now);
  return {
    at: new Date(now).toISOString(),
    rssBytes: process.memoryUsage.rss(),
    activeRuns: runs.activeCount,
    callsPerMinute: calls,
    failuresPerMinute: failures,
  };
}
