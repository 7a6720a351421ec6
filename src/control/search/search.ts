import type { LoadedConfig } from '../../config/load.js';
import { asText, type JsonObject, PmlError } from '../../core/index.js';
import { signalsOf } from '../../discovery/index.js';
import type { Gateway } from '../../gateway/index.js';
import { shortDescription } from '../../tool-text/index.js';
import { MOST_INTENT_CHARACTERS, searchTools, toolFilter } from '../../tools/index.js';
import { asJson } from '../as-json.js';
import type { SearchAnswer, SearchStatus, SignalShare } from '../contract/status.js';
import { searchStatus } from './status.js';

export interface SearchingDaemon {
  readonly config: LoadedConfig;
  readonly gateway: Gateway;
  reindex(options: { forget: boolean }): Promise<void>;
}

/** How long somebody who wants to see the tools waits for servers nobody has seen before. */
export const FIRST_LISTING_MS = 20_000;
const DEFAULT_LIMIT = 10;
const DESCRIPTION_CHARACTERS = 300;

/**
 * Searches as `pml_discover` does. Somebody `patient` would rather ask again than be answered by
 * words alone while the model loads or tools are being indexed.
 */
export async function search(daemon: SearchingDaemon, params: JsonObject): Promise<JsonObject> {
  const { gateway } = daemon;
  const intent = readIntent(params);
  await gateway.firstListing(FIRST_LISTING_MS);
  const server = params['server'] === undefined ? undefined : asText(params['server']);
  const filter = toolFilter(gateway, { server });
  const limit = typeof params['limit'] === 'number' ? params['limit'] : DEFAULT_LIMIT;
  const before = statusOf(daemon);
  if (params['patient'] === true && isComing(before)) {
    gateway.discovery.warmUp();
    return { waitFor: asJson(before) };
  }
  const { ranking, result } = await searchTools(gateway, intent, { filter, limit });
  const { weights } = gateway.discovery.status.ranking;
  const answer: SearchAnswer = {
    intent: gateway.mask(intent),
    byMeaning: ranking.byMeaning,
    isWeak: result.isWeak ?? false,
    search: statusOf(daemon),
    unlisted: gateway.view.unlisted,
    hits: result.hits.map(({ tool, score, matches, reasons = [] }, place) => ({
      tool: tool.id,
      server: tool.server,
      score,
      description: shortDescription(tool.definition, DESCRIPTION_CHARACTERS),
      words: matches,
      reasons,
      signals: sharesOf(signalsOf(ranking.tools[place]!), weights),
    })),
  };
  return asJson(answer);
}

/** Brings the index up to date, or tells how far it is. */
export async function index(daemon: SearchingDaemon, params: JsonObject): Promise<JsonObject> {
  const { gateway } = daemon;
  await gateway.firstListing(FIRST_LISTING_MS);
  const before = statusOf(daemon);
  const isRebuild = params['rebuild'] === true;
  const isStuck = params['start'] === true && before.error !== undefined;
  const hasModel = before.model !== 'none';
  if (hasModel && (isRebuild || isStuck)) await daemon.reindex({ forget: isRebuild });
  if (hasModel) gateway.discovery.warmUp();
  return asJson(statusOf(daemon));
}

export function statusOf({ config, gateway }: SearchingDaemon): SearchStatus {
  return searchStatus(gateway.discovery.status, config);
}

function isComing({ state, error, waiting, tools }: SearchStatus): boolean {
  if (state === 'none' || state === 'failed' || error !== undefined || tools === 0) return false;
  return state !== 'ready' || waiting > 0;
}

function readIntent(params: JsonObject): string {
  const intent = asText(params['intent']);
  if (!intent.trim()) throw new PmlError('BAD_REQUEST', 'Say in a few words what is wanted');
  if (intent.length <= MOST_INTENT_CHARACTERS) return intent;
  throw new PmlError(
    'BAD_REQUEST',
    `The intent has ${intent.length} characters, at most ${MOST_INTENT_CHARACTERS} are read; say it in a sentence`,
  );
}

/** What each signal added to the score, the strongest first. */
function sharesOf(
  values: Readonly<Record<string, number>>,
  weights: Readonly<Record<string, number>>,
): readonly SignalShare[] {
  return Object.entries(values)
    .map(([signal, value]) => {
      const weight = weights[signal] ?? 0;
      return { signal, value, weight, share: value * weight };
    })
    .filter(({ share }) => share !== 0)
    .toSorted((one, other) => Math.abs(other.share) - Math.abs(one.share));
}
