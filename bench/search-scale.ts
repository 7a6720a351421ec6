/**
 * What finding a tool costs as tools grow: by words alone, and by words and meaning with the model
 * warm. The vectors of the tools are made up, because only their number matters here; the questions
 * are embedded by the real model, and that time is reported separately. `--database` also measures
 * search in the embedded database, exactly and by an index, which takes minutes.
 */
import { performance } from 'node:perf_hooks';

import { type EmbeddingStore, silentLogger } from '../src/core/index.js';
import { Discovery } from '../src/discovery/index.js';
import { createEmbedder } from '../src/embedding/index.js';
import { openDatabaseSearch } from './data/database-search.js';
import type { BenchOptions } from './data/options.js';
import { INTENTS, syntheticTools } from './data/synthetic-tools.js';
import { createReport, median, quantile, type Report, type Row } from './report.js';

const SIZES = [500, 5_000, 50_000];
const REPEATS = 12;
const LIMIT = 5;
const DATABASE_SIZES = [5_000, 50_500];
const DATABASE_SEARCHES = 20;
/** A request with several needs is the most work. */
const LONG =
  'Check the failing deployment and collect its log. Then create an issue about it with the log attached. Tell the channel of the team, and finally list all invoices of the customer who reported it.';

export async function run({ hasDatabase }: BenchOptions): Promise<Report> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  if (hasDatabase) {
    for (const size of DATABASE_SIZES) rows.push(...(await measureDatabase(size)));
  }
  return createReport('search-scale', rows);
}

async function measure(size: number): Promise<readonly Row[]> {
  let ids = 0;
  const options = { log: silentLogger, now: () => new Date(), newId: () => String(ids++) };
  await using discovery = new Discovery(options);
  const tools = new Map(syntheticTools(size).map((tool) => [tool.id, tool]));
  const memoryBefore = process.memoryUsage().rss;
  const indexing = await timeOf(async () => {
    discovery.sync({ tools, servers: new Map() });
    await discovery.rank('warm up', { shown: LIMIT });
  });
  const words = await ask(discovery, [...INTENTS, LONG]);
  const embedder = await createEmbedder({ model: 'gte-small', logger: silentLogger });
  if (!embedder) throw new Error('the model is missing: run `npm run build`');
  await embedder.warmUp();
  const loading = await timeOf(async () => {
    await discovery.use(embedder, madeUpVectors(embedder.space.dimension));
    await discovery.settled();
  });
  const memory = process.memoryUsage().rss - memoryBefore;
  const embedding = await embedTimes(embedder, INTENTS);
  const both = await ask(discovery, INTENTS);
  const long = await ask(discovery, [LONG]);
  const row = (name: string, value: number, unit: string, more: Partial<Row> = {}): Row => ({
    name: `${size} tools: ${name}`,
    value,
    unit,
    ...more,
  });
  const compared = (times: readonly number[]) => ({
    n: times.length,
    ratio: median(times) / median(words),
  });
  return [
    row('index the words', indexing, 'ms'),
    row('load the vectors', loading, 'ms'),
    row('memory of both', memory / 1e6, 'MB'),
    row('by words, median', median(words), 'ms', { n: words.length }),
    row('by words, P95', quantile(words, 0.95), 'ms'),
    row('embed a question, median', median(embedding), 'ms', { n: embedding.length }),
    row('by words and meaning, median', median(both), 'ms', compared(both)),
    row('by words and meaning, P95', quantile(both, 0.95), 'ms'),
    row('a long request of several needs, median', median(long), 'ms', compared(long)),
    row('a long request of several needs, P95', quantile(long, 0.95), 'ms'),
  ];
}

/** Every question has its own words, so that no vector comes from the cache. */
async function ask(discovery: Discovery, intents: readonly string[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const intent of intents) {
      const question = `${intent} number ${repeat}${times.length}`;
      times.push(await timeOf(() => discovery.rank(question, { shown: LIMIT })));
    }
  }
  return times;
}

async function embedTimes(
  embedder: { embed(texts: readonly string[]): Promise<unknown> },
  intents: readonly string[],
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const intent of intents) {
      times.push(await timeOf(() => embedder.embed([`${intent} at ${repeat}`])));
    }
  }
  return times;
}

/** Answers every hash with a vector that depends on it alone, around one of a hundred centres. */
function madeUpVectors(dimension: number): EmbeddingStore {
  return {
    load: async (_space, hashes) =>
      new Map(
        hashes.map((hash) => [hash, vectorOf(Number.parseInt(hash.slice(0, 8), 16), dimension)]),
      ),
    save: async () => {},
    spaces: async () => [],
    remove: async () => {},
    removeSpace: async () => {},
  };
}

function vectorOf(seed: number, dimension: number): Float32Array {
  const centre = createRandom((seed % 100) + 1);
  const own = createRandom(seed);
  const vector = Float32Array.from({ length: dimension }, () => centre() - 0.5 + (own() - 0.5) / 2);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

async function measureDatabase(size: number): Promise<readonly Row[]> {
  const space = { id: 'made-up', dimension: 384 };
  const vectors = Array.from({ length: size }, (_, at) => vectorOf(at * 2_654_435, 384));
  await using database = await openDatabaseSearch(space);
  const saving = await timeOf(() => database.save(vectors));
  const scans = await searchTimes(vectors, (vector) => database.scan(vector, LIMIT));
  const building = await timeOf(() => database.buildIndex());
  const looks = await searchTimes(vectors, (vector) => database.lookUp(vector, LIMIT));
  const name = `${size} vectors in the embedded database`;
  return [
    { name: `${name}: save`, value: saving, unit: 'ms' },
    { name: `${name}: exact search`, value: median(scans), unit: 'ms', n: scans.length },
    { name: `${name}: build HNSW`, value: building, unit: 'ms' },
    { name: `${name}: search by HNSW`, value: median(looks), unit: 'ms', n: looks.length },
  ];
}

async function searchTimes(
  vectors: readonly Float32Array[],
  search: (vector: Float32Array) => Promise<unknown>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const vector of vectors.slice(0, DATABASE_SEARCHES)) {
    times.push(await timeOf(() => search(vector)));
  }
  return times;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
