import { type JsonObject, PmlError } from '../../core/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { Store } from '../../store/index.js';
import { asJson } from '../as-json.js';
import { rankingMetrics } from './ranking.js';

interface MeasuredDaemon {
  readonly gateway: Pick<Gateway, 'discovery'>;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

const DEFAULT_LAST = 1_000;
/** No more are kept. */
const MOST = 20_000;

/** How right past decisions were, of the newest that something became of. */
export async function showRankingMetrics(
  daemon: MeasuredDaemon,
  params: JsonObject,
): Promise<JsonObject> {
  const last = readLast(params);
  // Only what is taken up from the store can be read.
  const { error } = await daemon.store();
  const decisions = await daemon.gateway.discovery.decisions({ limit: last, judged: true });
  if (decisions) return asJson(rankingMetrics(decisions, last));
  throw new PmlError(
    'STORE_FAILED',
    `Decisions are not recorded: ${error ?? 'the store is not open'}. See \`pml doctor\``,
  );
}

function readLast({ last = DEFAULT_LAST }: JsonObject): number {
  if (typeof last === 'number' && Number.isInteger(last) && last >= 1 && last <= MOST) return last;
  throw new PmlError(
    'BAD_REQUEST',
    `last must be a whole number from 1 to ${MOST}, got ${JSON.stringify(last)}`,
  );
}
