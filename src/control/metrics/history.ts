import { type DailyOutcomes, PmlError } from '../../core/index.js';
import type { Store } from '../../store/index.js';
import type { ControlParams } from '../contract.js';
import type { DayQuality, MetricsHistory } from '../contract/metrics.js';
import { ENOUGH } from './ranking.js';

interface RememberedDaemon {
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;

/** How right decisions were, day by day. */
export async function showHistory(
  daemon: RememberedDaemon,
  { days = DEFAULT_DAYS }: ControlParams<'metrics-history'>,
): Promise<MetricsHistory> {
  const { store, error } = await daemon.store();
  const since = new Date(Date.now() - days * DAY_MS);
  if (store) return { days: (await store.ranking.daily({ since })).map(dayQuality) };
  throw new PmlError(
    'STORE_FAILED',
    `Decisions are not recorded: ${error ?? 'the store is not open'}. See \`pml doctor\``,
  );
}

function dayQuality({ plans, exactly, ...row }: DailyOutcomes): DayQuality {
  return {
    ...row,
    isEnough: row.decisions >= ENOUGH,
    ...(plans > 0 && { plans: { plans, exactly } }),
  };
}
