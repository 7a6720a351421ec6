import { signalsOf, usefulHits } from '../../discovery/index.js';
import { shortDescription } from '../../tool-text/index.js';
import { searchTools, toolFilter } from '../../tools/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type { SearchStatus, SignalShare } from '../contract/search.js';
import { type SearchingDaemon, statusOf } from './status.js';

interface IndexingDaemon extends SearchingDaemon {
  reindex(options: { forget: boolean }): Promise<void>;
}

/** How long a user who wants to see the tools waits for servers that PML has never listed. */
export const COMMAND_LISTING_MS = 20_000;
const SEARCH_HITS = 10;
const DESCRIPTION_CHARACTERS = 300;

/**
 * Searches as `pml_discover` does. A `patient` client would rather ask again than get an answer by
 * words alone while the model loads or tools are being indexed.
 */
export async function search(
  daemon: SearchingDaemon,
  { intent, server, limit = SEARCH_HITS, patient = false }: ControlParams<'search'>,
): Promise<ControlResult<'search'>> {
  const { workflows } = daemon;
  await workflows.tools.readyToSearch(COMMAND_LISTING_MS);
  const filter = toolFilter(workflows.tools, { server });
  const before = statusOf(daemon);
  if (patient && isComing(before)) {
    workflows.tools.discovery.warmUp();
    return { waitFor: before };
  }
  const { ranking, result } = await searchTools(workflows.tools, intent, { filter, limit });
  const { weights } = workflows.tools.discovery.status.ranking;
  const { hits } = result;
  const useful = new Set(usefulHits(hits, { limit, isByWords: !ranking.byMeaning }));
  return {
    intent: workflows.mask(intent),
    byMeaning: ranking.byMeaning,
    isWeak: result.isWeak ?? false,
    search: statusOf(daemon),
    unlisted: workflows.tools.view.unlisted,
    hits: hits.map((hit, place) => ({
      tool: hit.tool.id,
      server: hit.tool.server,
      score: hit.score,
      ...(!useful.has(hit) && { isLeftOut: true }),
      description: shortDescription(hit.tool.definition, DESCRIPTION_CHARACTERS),
      words: hit.matches,
      reasons: hit.reasons ?? [],
      signals: sharesOf(signalsOf(ranking.tools[place]!), weights),
    })),
  };
}

/** Brings the index up to date, or reports its progress. */
export async function index(
  daemon: IndexingDaemon,
  { start = false, rebuild = false }: ControlParams<'index'>,
): Promise<SearchStatus> {
  const { workflows } = daemon;
  await workflows.tools.readyToSearch(COMMAND_LISTING_MS);
  const before = statusOf(daemon);
  const isStuck = start && before.error !== undefined;
  const hasModel = before.model !== 'none';
  if (hasModel && (rebuild || isStuck)) await daemon.reindex({ forget: rebuild });
  if (hasModel) workflows.tools.discovery.warmUp();
  return statusOf(daemon);
}

function isComing({ state, error, waiting, tools }: SearchStatus): boolean {
  if (state === 'none' || state === 'failed' || error !== undefined || tools === 0) return false;
  return state !== 'ready' || waiting > 0;
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
