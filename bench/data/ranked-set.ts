import { type ExecutionTrace, silentLogger, type ToolId } from '../../src/core/index.js';
import { readTraces } from '../../src/discovery/index.js';
import { SemanticIndex } from '../../src/discovery/meaning/semantic-index.js';
import { VectorSource } from '../../src/discovery/meaning/vector-source.js';
import { pastIntent } from '../../src/discovery/past/past-intent.js';
import { createEmbedder } from '../../src/embedding/index.js';
import { computeMetrics, graphOf, KnowledgeGraph, SessionGraph } from '../../src/graph/index.js';
import {
  IntentMemory,
  type PastIntent,
  type RankingSources,
  Reliability,
  RequestMemory,
  type SessionKnowledge,
} from '../../src/ranking/index.js';
import { createToolIndex } from '../../src/search/index.js';
import type { Store } from '../../src/store/index.js';
import type { ToolSet } from './tool-set.js';

/** A row of a data set: a request, or a recorded run, which is several. */
export interface SourceRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly variant?: string;
  readonly gold?: readonly (readonly string[])[];
}

/** A row as memory sees it, with vectors. */
export interface RankedRow {
  readonly row: SourceRow;
  readonly traces: readonly ExecutionTrace[];
  /** Of those that memory takes, in their order. */
  readonly intents: readonly PastIntent[];
}

/** A data set with all of its vectors: memories of any part of it are made in no time. */
export interface RankedSet {
  readonly tools: ToolSet;
  readonly rows: readonly RankedRow[];
  /** What discovery would weigh questions against if these rows were all its past. */
  remembering(rows: readonly RankedRow[]): Remembering;
}

export interface Remembering {
  readonly sources: RankingSources & { readonly memory: IntentMemory };
  readonly session: SessionKnowledge;
  readonly traces: readonly ExecutionTrace[];
}

/** Reads rows as discovery does, and has everything embedded. */
export async function rankedSet(
  store: Store,
  tools: ToolSet,
  rows: readonly SourceRow[],
): Promise<RankedSet> {
  const read = rows.map((row) => {
    const { traces } = readTraces([row], {
      resolve: (text) => tools.idOf.get(text),
      now: new Date(0),
    });
    return { row, traces };
  });
  const requests = new RequestMemory({ capacity: Infinity });
  for (const { traces } of read) {
    for (const trace of traces.filter(isRemembered)) requests.add(pastIntent(trace, new Map()));
  }
  const embedder = await createEmbedder({ model: 'gte-small', logger: silentLogger });
  if (!embedder) throw new Error('no embedder');
  const source = new VectorSource({ embedder, store: store.embeddings, log: silentLogger });
  await using semantic = new SemanticIndex(source, { log: silentLogger, requests });
  await semantic.sync(tools);
  await semantic.remember(requests.ids());
  const index = createToolIndex();
  for (const tool of tools.tools.values()) index.upsert(tool);
  const { memory, servers, reference } = semantic;
  const ranked = read.map((one) => ({
    ...one,
    intents: one.traces.flatMap(({ id }) => memory.get(id) ?? []),
  }));
  const dimension = source.space.dimension;
  return {
    tools,
    rows: ranked,
    remembering: (some) => {
      const own = new IntentMemory({ dimension });
      const reliability = new Reliability();
      const traces = some.flatMap((one) => one.traces);
      for (const { intents } of some) for (const intent of intents) own.add(intent);
      for (const { calls } of traces) reliability.add(calls);
      const session = sessionOf(traces);
      return {
        sources: {
          index,
          tools: semantic.tools,
          servers,
          reference,
          memory: own,
          reliability,
          session: (called: readonly ToolId[]) => session.view(called),
        },
        session,
        traces,
      };
    },
  };
}

const isRemembered = ({ ok, intent }: ExecutionTrace) => ok && intent !== '';

function sessionOf(traces: readonly ExecutionTrace[]): SessionGraph {
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  const metrics = computeMetrics(graph);
  return new SessionGraph({ graph, metrics: () => metrics, capabilities: () => [], now: () => 0 });
}
