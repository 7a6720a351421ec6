import { PmlError } from '../../core/index.js';
import type { Store } from '../../store/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { ControlParams } from '../contract.js';
import type { RankingMetrics } from '../contract/metrics.js';
import { rankingMetrics } from './ranking.js';

interface MeasuredDaemon {
  readonly workflows: { readonly tools: Pick<ToolDirectory, 'discovery'> };
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

const DEFAULT_LAST = 1_000;

/** How right past decisions were: the newest ones that a call followed. */
export async function showRankingMetrics(
  daemon: MeasuredDaemon,
  { last = DEFAULT_LAST }: ControlParams<'metrics-ranking'>,
): Promise<RankingMetrics> {
  // PML can read only what it has loaded from the store.
  const { error } = await daemon.store();
  const decisions = await daemon.workflows.tools.discovery.decisions({ limit: last, judged: true });
  if (decisions) return rankingMetrics(decisions, last);
  throw new PmlError(
    'STORE_FAILED',
    `Decisions are not recorded: ${error ?? 'the store is not open'}. See \`pml doctor\``,
  );
}
