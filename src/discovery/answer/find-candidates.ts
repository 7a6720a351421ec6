import { type CatalogTool, type JsonObject, nearestNames, PmlError } from '../../core/index.js';
import type { ToolFilter, ToolIndex } from '../../search/index.js';
import type { ContextBudget, Detail, ToolMatch, ToolRisk } from '../../tool-text/index.js';
import { askedText, onlyAsks } from '../../words/index.js';
import { type FoundHits, WEAK } from './found-hits.js';
import { harmlessFirst, usefulHits } from './useful-hits.js';

/** Exactly one of `intent`, `name` and `pattern`. */
export interface DiscoverRequest {
  /** What is wanted, in words. */
  readonly intent?: string;
  /** A tool by its id or name. */
  readonly name?: string;
  /** A glob over ids and names. */
  readonly pattern?: string;
  readonly limit?: number;
  readonly detail?: Detail;
  /** Longest answer; the context budget decides if it is missing. */
  readonly maxTokens?: number;
}

export interface DiscoverContext {
  readonly index: ToolIndex;
  readonly budget: ContextBudget;
  /** Which tools the agent may see, of those that are active. Default: all. */
  readonly filter?: ToolFilter;
  /** The kind that the agent asks for. The filter passes only this kind. Default: both kinds. */
  readonly kind?: 'tool' | 'capability' | undefined;
  /** What was found for the intent, with the same filter. Default: what its words find. */
  readonly found?: FoundHits;
  /** What the results of a tool that declares nothing were seen to look like. */
  readonly seenOutput?: (tool: CatalogTool) => JsonObject | undefined;
  /** What the agent should know before it calls a tool. Default: nothing. */
  readonly riskOf?: (tool: CatalogTool) => ToolRisk | undefined;
}

export interface Candidates {
  readonly hits: readonly ToolMatch[];
  /** Tools that fit, shown or not. */
  readonly total: number;
  readonly note?: string;
}

interface Context {
  readonly index: ToolIndex;
  readonly limit: number;
  readonly filter: ToolFilter;
  readonly found?: FoundHits | undefined;
  readonly kind?: DiscoverContext['kind'];
  readonly isDestructive: (tool: CatalogTool) => boolean;
}

const SHOWN_WHEN_WEAK = 3;
const SHOWN_SERVERS = 20;
const NO_TOOLS =
  'No tools yet: servers are still starting, or none is set up (`pml status` tells which).';
const INSTEAD =
  'Repeat without "kind" to find tools; code that succeeds in pml_execute_code becomes a capability.';
const NO_CAPABILITY_FITS = `No capability fits. ${INSTEAD}`;
const NO_CAPABILITIES = `PML has no such capability yet. ${INSTEAD}`;
const NONE_ALLOWED = 'There are tools, but none of this server, kind and permission.';

export function findCandidates(
  request: DiscoverRequest,
  { index, filter, found, kind, riskOf }: DiscoverContext,
  limit: number,
): Candidates {
  const { intent = '', name = '', pattern = '' } = checkRequest(request);
  const isDestructive = (tool: CatalogTool) => riskOf?.(tool) === 'destructive';
  const context = { index, limit, filter: isVisible(filter), found, kind, isDestructive };
  if (index.servers(isVisible()).length === 0) return nothing(NO_TOOLS);
  if (index.servers(context.filter).length === 0) {
    return nothing(kind === 'capability' ? NO_CAPABILITIES : NONE_ALLOWED);
  }
  if (name) return byName(name, context);
  return pattern ? byPattern(pattern, context) : byIntent(intent, context);
}

function checkRequest(request: DiscoverRequest): DiscoverRequest {
  const { intent, name, pattern } = request;
  const given = [intent, name, pattern].filter((text) => text !== undefined && text.trim() !== '');
  if (given.length === 1) return request;
  throw new PmlError('BAD_REQUEST', 'Give exactly one of `intent`, `name` and `pattern`');
}

const nothing = (note: string): Candidates => ({ hits: [], total: 0, note });

function isVisible(filter: ToolFilter = () => true): ToolFilter {
  return (tool) => tool.status === 'active' && filter(tool);
}

function byIntent(intent: string, context: Context): Candidates {
  const { index, limit, filter, found, kind, isDestructive } = context;
  const byWords = (): FoundHits => index.search(intent, { limit, filter });
  const { hits: best, matched, isWeak } = found ?? byWords();
  const isCapability = kind === 'capability';
  const useful = usefulHits(best, { limit, isByWords: !found });
  const hits = onlyAsks(askedText(intent)) ? harmlessFirst(useful, isDestructive) : useful;
  const top = Math.max(0, ...hits.map(({ score }) => score));
  if (isCapability && top === 0) return nothing(NO_CAPABILITY_FITS);
  if (top === 0) return nothing(`Nothing matches. ${knownServers(index, filter)}`);
  if (!(isWeak ?? top < WEAK)) return { hits, total: Math.max(matched, hits.length) };
  const closest = hits.slice(0, SHOWN_WHEN_WEAK);
  const elsewhere = isCapability ? INSTEAD : knownServers(index, filter);
  const note = `Nothing matches well; these are the closest. ${elsewhere}`;
  return { hits: closest, total: closest.length, note };
}

function byName(name: string, context: Context): Candidates {
  const named = context.index.matchName(name);
  const found = exactly(named.filter(context.filter), context.limit);
  if (found.total > 0) return found;
  const hits = nearestTools(name, context);
  const reason = whyHidden(named) ?? `No tool is named \`${name}\``;
  return { hits, total: hits.length, note: `${reason}${hits.length > 0 ? '; closest:' : '.'}` };
}

/** The tools whose names are most alike; a destructive tool is never the first. */
function nearestTools(name: string, { index, limit, filter, isDestructive }: Context) {
  const known = index.matchPattern('*').filter(filter);
  const byId = new Map<string, CatalogTool>(known.map((tool) => [tool.id, tool]));
  const near = nearestNames(name, byId.keys(), Math.min(limit, SHOWN_WHEN_WEAK));
  const hits = near.flatMap((id): ToolMatch[] => {
    const tool = byId.get(id);
    return tool ? [{ tool, score: 0, matches: [] }] : [];
  });
  return harmlessFirst(hits, isDestructive);
}

function byPattern(pattern: string, { index, limit, filter }: Context): Candidates {
  const found = exactly(index.matchPattern(pattern).filter(filter), limit);
  if (found.total > 0) return found;
  return nothing(`No tool fits \`${pattern}\`. ${knownServers(index, filter)}`);
}

function exactly(tools: readonly CatalogTool[], limit: number): Candidates {
  const hits = tools.slice(0, limit).map((tool) => ({ tool, score: 1, matches: [] }));
  return { hits, total: tools.length };
}

/** Says it if the tool exists but may not be called now. */
function whyHidden(named: readonly CatalogTool[]): string | undefined {
  const tool = named.find(({ status }) => status === 'blocked' || status === 'quarantined');
  return tool && `\`${tool.id}\` is ${tool.status}${tool.reason ? ` (${tool.reason})` : ''}`;
}

function knownServers(index: ToolIndex, filter: ToolFilter): string {
  const names = index.servers(filter);
  const shown = names.slice(0, SHOWN_SERVERS).join(', ');
  return `Servers: ${shown}${names.length > SHOWN_SERVERS ? ', …' : '.'}`;
}
