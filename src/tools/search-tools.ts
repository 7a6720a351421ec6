import { type CatalogTool, isCapability, matchGlobs, PmlError } from '../core/index.js';
import {
  type ClientPast,
  type FoundHits,
  foundHits,
  NO_TRAIL,
  type Ranking,
  type Trail,
} from '../discovery/index.js';
import type { ToolFilter } from '../search/index.js';
import type { ToolDirectory } from './tool-directory.js';

/** A longer request says no more about what is wanted, and is likely a mistake. */
export const MOST_INTENT_CHARACTERS = 20_000;

export interface FilterRequest {
  /** A glob of server names. */
  readonly server?: string | undefined;
  readonly kind?: 'tool' | 'capability' | undefined;
  readonly permission?: 'allow' | 'ask' | undefined;
}

/** Throws when no server fits: that is a mistake, and not the same as finding nothing. */
export function toolFilter(
  tools: ToolDirectory,
  { server, kind, permission }: FilterRequest,
): ToolFilter {
  const isKind = ({ id }: CatalogTool) =>
    kind === undefined || isCapability(id) === (kind === 'capability');
  const fits = matchGlobs([server ?? '*']);
  const isSeen: ToolFilter = (tool) => isActive(tool) && tools.isWithin(tool.id);
  if (server !== undefined && !tools.index.servers(isSeen).some((name) => fits(name))) {
    const known = tools.index.servers(isSeen).join(', ');
    throw new PmlError('BAD_REQUEST', `No server fits "${server}". There are: ${known}`);
  }
  const isAllowed = ({ id }: CatalogTool) => {
    const { ask, denied } = tools.policyOf(id);
    return denied === undefined && (ask ? 'ask' : 'allow') === permission;
  };
  return (tool) =>
    isSeen(tool) && isKind(tool) && fits(tool.server) && (!permission || isAllowed(tool));
}

const isActive: ToolFilter = ({ status }) => status === 'active';

export interface FoundTools {
  readonly ranking: Ranking;
  readonly result: FoundHits;
}

export interface SearchOptions {
  readonly filter: ToolFilter;
  readonly limit: number;
  /** Further hits to choose from, beyond those that are shown. Default: none. */
  readonly spare?: number;
  /** Of the client that asks. */
  readonly trail?: Trail;
  /** The memory of the client that asks. Default: the user's. */
  readonly past?: ClientPast;
}

/** The one way from an intent to tools, for agents and for the command line. */
export async function searchTools(
  tools: ToolDirectory,
  intent: string,
  { filter, limit, spare = 0, trail = NO_TRAIL, past = tools.discovery }: SearchOptions,
): Promise<FoundTools> {
  const ranking = await past.rank(intent, { filter, shown: limit, trail });
  const options = { index: tools.index, limit: limit + spare };
  return { ranking, result: foundHits(intent, ranking, options) };
}
