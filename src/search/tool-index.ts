import { type CatalogTool, matchGlobs, type ToolId } from '../core/index.js';
import { Columns } from './columns.js';
import { NameLookup } from './name-lookup.js';
import { type IndexedTool, Postings } from './postings.js';
import { readQuery } from './query.js';
import { explain, type ScoredTool, scoreTools, type WordMatch } from './rank.js';
import { selectBest } from './select-best.js';
import { Vocabulary } from './vocabulary.js';

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

export interface SearchOptions {
  readonly limit: number;
  readonly filter?: ToolFilter;
}

/** Finds tools by words. Changes tool by tool; answers depend on the tools held, not on their history. */
export interface ToolIndex {
  readonly size: number;
  upsert(tool: CatalogTool): void;
  remove(id: ToolId): void;
  search(query: string, options: SearchOptions): SearchResult;
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
  const vocabulary = new Vocabulary();
  const names = new NameLookup();
  const all = () => Array.from(postings.tools(), ({ tool }) => tool);

  function remove(id: ToolId): void {
    const indexed = postings.get(id);
    if (!indexed) return;
    columns.forget();
    names.remove(indexed.tool);
    vocabulary.remove(postings.remove(id));
  }

  return {
    get size() {
      return postings.size;
    },
    upsert(tool) {
      remove(tool.id);
      columns.forget();
      vocabulary.add(postings.add(tool));
      names.add(tool);
    },
    remove,
    search(query, options) {
      const words = readQuery(query, { postings, vocabulary });
      const named = new Set(
        Array.from(names.find(query), (id) => postings.get(id)).filter((tool) => !!tool),
      );
      const scored = liftNamed(scoreTools(words, { postings, columns }), named);
      return resultOf(scored, options, (indexed) => explain(words, indexed, columns));
    },
    matchName: (name) =>
      byId(all().filter(({ id, definition }) => id === name || definition.name === name)),
    matchPattern(glob) {
      const fits = matchGlobs([glob]);
      return byId(all().filter(({ id, definition }) => fits(id) || fits(definition.name)));
    },
    servers: (filter) =>
      [
        ...new Set(
          all()
            .filter(filter)
            .map(({ server }) => server),
        ),
      ].toSorted(),
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
  { limit, filter }: SearchOptions,
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
