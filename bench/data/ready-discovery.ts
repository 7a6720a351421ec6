import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PmlError, silentLogger } from '../../src/core/index.js';
import { Discovery, readTraces } from '../../src/discovery/index.js';
import { createEmbedder } from '../../src/embedding/index.js';
import { computeMetrics, graphOf, KnowledgeGraph, SessionGraph } from '../../src/graph/index.js';
import { keepArgs } from '../../src/plan/index.js';
import { createEmbeddedStore, type Store } from '../../src/store/index.js';
import type { ToolSet } from './tool-set.js';

export interface ReadyDiscovery extends AsyncDisposable {
  readonly discovery: Discovery;
  readonly remembered: number;
}

export interface ReadyOptions {
  readonly store: Store;
  readonly tools: ToolSet;
  /** Requests with what served them, and recorded runs. */
  readonly memory: readonly unknown[];
  readonly say: (text: string) => void;
}

/**
 * Vectors are kept between runs: making them is most of the time, and not what is measured. A run
 * beside another one keeps its own, for itself.
 */
export async function vectorStore(directory?: string): Promise<Store> {
  try {
    return await openStore(directory ?? join(tmpdir(), 'pml-bench'));
  } catch (error) {
    const isInUse = error instanceof PmlError && error.code === 'DATA_DIR_IN_USE';
    if (directory !== undefined || !isInUse) throw error;
    return openStore(mkdtempSync(join(tmpdir(), 'pml-bench-')));
  }
}

function openStore(dataDir: string): Promise<Store> {
  mkdirSync(dataDir, { recursive: true });
  return createEmbeddedStore({ dataDir, logger: silentLogger });
}

/**
 * Discovery as the daemon has it: tools indexed, experience taken in as live executions are, ranking
 * learned. Experience and what is learned stay in memory, so that runs do not see each other's.
 */
export async function readyDiscovery(options: ReadyOptions): Promise<ReadyDiscovery> {
  const { store, tools, memory, say } = options;
  const { traces, problems } = readTraces(memory, {
    resolve: (text) => tools.idOf.get(text),
    now: new Date(0),
    keepArgs: (args) => keepArgs(args, (text) => text),
  });
  if (problems[0]) throw new Error(`memory row ${problems[0].row + 1}: ${problems[0].problem}`);
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  const metrics = computeMetrics(graph);
  let ids = 0;
  const discovery = new Discovery({
    log: silentLogger,
    now: () => new Date(),
    newId: () => `decision-${ids++}`,
    session: new SessionGraph({
      graph,
      metrics: () => metrics,
      capabilities: () => [],
      now: () => 0,
    }),
  });
  const embedder = await createEmbedder({ model: 'gte-small', logger: silentLogger });
  if (!embedder) throw new Error('no embedder');
  discovery.sync(tools);
  await discovery.use(embedder, store.embeddings);
  const remembering = discovery.remember(traces);
  const timer = setInterval(() => say(`${discovery.status.waiting} texts to embed`), 5_000);
  try {
    await remembering;
    await discovery.learn();
  } finally {
    clearInterval(timer);
  }
  await embedder.warmUp();
  return {
    discovery,
    remembered: discovery.status.remembered,
    [Symbol.asyncDispose]: () => discovery[Symbol.asyncDispose](),
  };
}

const MOST_TRIES = 40;

/**
 * Has the words of a question embedded, so that the answer does not depend on what else the machine
 * does: a question that waits too long for its vector is answered by words alone.
 */
export async function embedQuestion(discovery: Discovery, query: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { byMeaning } = await discovery.weigh(query);
    if (byMeaning) return;
  }
  throw new Error(`no vector for: ${query}`);
}
