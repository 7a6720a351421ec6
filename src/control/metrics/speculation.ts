import { PmlError } from '../../core/index.js';
import type { GateVerdict } from '../../learning/index.js';
import type { LearningLedger, ThresholdFigures } from '../../speculation/index.js';
import type { ControlParams } from '../contract.js';
import type { GateRow } from '../contract/reliability.js';
import type {
  ForgottenRows,
  SpeculationMetrics,
  SpeculationSummary,
  ThresholdMetrics,
} from '../contract/speculation.js';

interface SpeculatingDaemon {
  readonly speculation: { readonly ledger: Pick<LearningLedger, 'figures' | 'forget' | 'loaded'> };
}

interface ForgettingDaemon extends SpeculatingDaemon {
  store(): Promise<{ store: object | undefined; error: string | undefined }>;
}

/** The outcomes of the stored predictions. */
export async function showSpeculation(daemon: ForgettingDaemon): Promise<SpeculationMetrics> {
  // What earlier sessions left comes in with the store.
  await daemon.store();
  await daemon.speculation.ledger.loaded();
  const { episodes, from, rungs, clients, extraCalls, thresholds, correction } =
    daemon.speculation.ledger.figures;
  return {
    predictions: episodes,
    ...(from && { from: from.toISOString() }),
    rungs,
    clients,
    extraCalls,
    thresholds: thresholds.map(thresholdMetrics),
    episodes: { inUse: correction.isBetter, gate: gateRow(correction) },
  };
}

export function summarizeSpeculation({ speculation }: SpeculatingDaemon): SpeculationSummary {
  const { episodes, rungs, thresholds, correction } = speculation.ledger.figures;
  const total = (of: (rung: (typeof rungs)[number]) => number) =>
    rungs.reduce((sum, rung) => sum + of(rung), 0);
  return {
    predictions: episodes,
    served: total(({ served }) => served),
    wasted: total(({ wasted }) => wasted),
    savedMs: Math.round(total(({ savedMs }) => savedMs)),
    episodes: { inUse: correction.isBetter, why: correction.why },
    off: thresholds.filter(({ isOff }) => isOff).map(({ rung, kind }) => `${rung} ${kind}`),
  };
}

/** Refuses while the store is not open: what is on disk would come back. */
export async function forget(
  daemon: ForgettingDaemon,
  { what }: ControlParams<'forget'>,
): Promise<ForgottenRows> {
  const { store, error } = await daemon.store();
  if (!store) {
    throw new PmlError(
      'STORE_FAILED',
      `Nothing was forgotten: ${error ?? 'the store is not open'}. See \`pml doctor\``,
    );
  }
  return daemon.speculation.ledger.forget({
    episodes: what !== 'thresholds',
    thresholds: what !== 'episodes',
  });
}

function thresholdMetrics({ at, history, ...rest }: ThresholdFigures): ThresholdMetrics {
  return {
    ...rest,
    at: at.toISOString(),
    history: history.map((one) => ({ at: one.at.toISOString(), value: one.value })),
  };
}

/** With few groups the error is endless, which JSON cannot say. */
function gateRow({ error, ...rest }: GateVerdict): GateRow {
  return { name: 'episodes', ...rest, ...(Number.isFinite(error) && { error }) };
}
