import { type CatalogTool, matchGlobs, type ToolId } from '../../core/index.js';
import { Columns } from './columns.js';
import { KnownTerms } from './known-terms.js';
import { NameLookup } from './name-lookup.js';
import { type IndexedTool, Postings } from './postings.js';
import { type QueryWord, readQuery } from './query.js';
import { type ScoredTool, scoreTools, type WordMatch, wordMatches } from './score-tools.js';
import { selectBest } from './select-best.js';

export type ToolFilter = (tool: CatalogTool) => boolean;

export interface SearchHit {
  readonly tool: CatalogTool;
  /** In [0, 1]: the share of the query that the tool covers. The same for any limit. */
  readonly score: number;
  readonly matches: readonly WordMatch[];
}

export interface SearchResult {
  /** Best first; equal scores by id. */
  readonly hits: readonly SearchHit[];
  /** Tools that score at least half as well as the best, shown or not. */
  readonly matched: number;
}

export interface WordSearchOptions {
  readonly limit: number;
  readonly filter?: ToolFilter;
}

/** How well every tool fits a text by its words. To be read before the index changes. */
export interface LexicalScores {
  /** Of the best tool. */
  readonly best: number;
  /** In [0, 1]. */
  of(id: ToolId): number;
  /** Whether the text is the name of the tool. */
  isNamed(id: ToolId): boolean;
  /** The ids of the best, best first. */
  top(limit: number, filter?: ToolFilter): readonly ToolId[];
}

/** Finds tools by words. Changes tool by tool; answers depend on the tools held, not on their history. */
export interface ToolIndex {
  readonly size: number;
  upsert(tool: CatalogTool): void;
  remove(id: ToolId): void;
  get(id: ToolId): CatalogTool | undefined;
  search(query: string, options: WordSearchOptions): SearchResult;
  score(query: string): LexicalScores;
  /** Which words of the query speak for a tool. */
  matches(query: string, id: ToolId): readonly WordMatch[];
  /** Tools with exactly this id or name, by id. */
  matchName(name: string): readonly CatalogTool[];
  /** Tools whose id or name fits the glob, by id. */
  matchPattern(glob: string): readonly CatalogTool[];
  /** Names of the servers of all tools that pass the filter, sorted. */
  servers(filter: ToolFilter): readonly string[];
}

/** How far a query that is a tool's name lifts it from its score towards 1. */
const NAME_LIFT = 0.9;

export function createToolIndex(): ToolIndex {
  const postings = new Postings();
  const columns = new Columns(postings);
  const knownTerms = new KnownTerms();
  const names = new NameLookup();
  const all = () => Array.from(postings.tools(), ({ tool }) => tool);

  function remove(id: ToolId): void {
    const indexed = postings.get(id);
    if (!indexed) return;
    columns.forget();
    names.remove(indexed.tool);
    knownTerms.remove(postings.remove(id));
  }

  function scoreWords(query: string, words: readonly QueryWord[]) {
    const named = new Set(
      Array.from(names.find(query), (id) => postings.get(id)).filter((tool) => !!tool),
    );
    return { named, scored: liftNamed(scoreTools(words, { postings, columns }), named) };
  }

  return {
    get size() {
      return postings.size;
    },
    upsert(tool) {
      remove(tool.id);
      columns.forget();
      knownTerms.add(postings.add(tool));
      names.add(tool);
    },
    remove,
    get: (id) => postings.get(id)?.tool,
    search(query, options) {
      const words = readQuery(query, { postings, knownTerms });
      return resultOf(scoreWords(query, words).scored, options, (indexed) =>
        wordMatches(words, indexed, columns),
      );
    },
    score(query) {
      const { scored, named } = scoreWords(query, readQuery(query, { postings, knownTerms }));
      return lexicalScores(scored, named, postings);
    },
    matches(query, id) {
      const indexed = postings.get(id);
      return indexed
        ? wordMatches(readQuery(query, { postings, knownTerms }), indexed, columns)
        : [];
    },
    matchName: (name) =>
      byId(all().filter(({ id, definition }) => id === name || definition.name === name)),
    matchPattern(glob) {
      const fits = matchGlobs([glob]);
      return byId(all().filter(({ id, definition }) => fits(id) || fits(definition.name)));
    },
    servers(filter) {
      const servers = new Set<string>();
      for (const { tool } of postings.tools()) if (filter(tool)) servers.add(tool.server);
      return [...servers].toSorted();
    },
  };
}

function lexicalScores(
  scored: readonly ScoredTool[],
  named: ReadonlySet<IndexedTool>,
  postings: Postings,
): LexicalScores {
  // By slot, because a map of thousands of ids takes longer than adding up their scores.
  const bySlot = new Float64Array(postings.slots);
  let best = 0;
  for (const { indexed, score } of scored) {
    bySlot[indexed.slot] = score;
    if (score > best) best = score;
  }
  const names = new Set(Array.from(named, ({ tool }) => tool.id));
  return {
    best,
    of(id) {
      const slot = postings.get(id)?.slot;
      return slot === undefined ? 0 : (bySlot[slot] ?? 0);
    },
    isNamed: (id) => names.has(id),
    top: (limit, filter) =>
      selectBest(scored, limit, filter && (({ tool }) => filter(tool))).map(
        ({ indexed }) => indexed.tool.id,
      ),
  };
}

/** A name may consist of stop words only, so named tools are added if no word found them. */
function liftNamed(
  scored: readonly ScoredTool[],
  named: ReadonlySet<IndexedTool>,
): readonly ScoredTool[] {
  if (named.size === 0) return scored;
  const others = scored.filter(({ indexed }) => !named.has(indexed));
  const scores = new Map(scored.map(({ indexed, score }) => [indexed, score]));
  const lifted = Array.from(named, (indexed) => {
    const score = scores.get(indexed) ?? 0;
    return { indexed, score: score + (1 - score) * NAME_LIFT };
  });
  return [...lifted, ...others];
}

function resultOf(
  scored: readonly ScoredTool[],
  { limit, filter }: WordSearchOptions,
  matchesOf: (indexed: IndexedTool) => readonly WordMatch[],
): SearchResult {
  const allowed = filter ? scored.filter(({ indexed }) => filter(indexed.tool)) : scored;
  const hits = selectBest(allowed, limit).map(({ indexed, score }) => ({
    tool: indexed.tool,
    score,
    matches: matchesOf(indexed),
  }));
  const half = allowed.reduce((best, { score }) => Math.max(best, score), 0) / 2;
  return { hits, matched: allowed.filter(({ score }) => score >= half).length };
}

function byId(tools: readonly CatalogTool[]): readonly CatalogTool[] {
  return tools.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
