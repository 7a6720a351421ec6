/**
 * What suggesting costs with much experience: a whole plan and the next step, against ranking
 * alone, which every answer needs; and what one more execution costs. The real model embeds texts
 * in its own process: its work counts in the time of an answer, but not in the CPU time beside it,
 * which hardly depends on other load of the machine.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ANCHOR_SIGNALS, type AttentionModel, HEAD_NAMES } from '../src/attention/index.js';
import { HEAD_WEIGHTS, readTraces } from '../src/discovery/index.js';
import { graphOf, KnowledgeGraph } from '../src/graph/index.js';
import { BindingMemory } from '../src/planner/index.js';
import { headViews } from '../src/suggest/members/head-signals.js';
import type { BenchOptions } from './data/options.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readySuggester } from './data/ready-suggester.js';
import { syntheticExecutions } from './data/synthetic-executions.js';
import { createReport, median, quantile, type Report, type Row } from './report.js';

const SIZES = { tools: 2_000, executions: 50_000, procedures: 500, questions: 120 };
const FRESH = 200;

interface Cost {
  readonly ms: number;
  /** CPU time of all threads of this process. */
  readonly cpuMs: number;
}

export async function run({ values }: BenchOptions): Promise<Report> {
  const { toolSet, rows, questions } = syntheticExecutions({
    ...SIZES,
    executions: SIZES.executions + FRESH,
  });
  const memory = rows.slice(0, SIZES.executions);
  const graph = new KnowledgeGraph();
  const pairs = new BindingMemory();
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await using store = await vectorStore(values['data']);
  const before = usedBytes();
  const began = performance.now();
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say });
  const { discovery } = ready;
  const remembered = performance.now();
  const suggester = await readySuggester({ discovery, toolSet, memory, graph, pairs });
  const learned = performance.now();
  const after = usedBytes();
  const times = await askAll();
  const { taken, found } = await takeAll();
  const name = `${SIZES.tools} tools, ${SIZES.executions} executions`;
  const row = (what: string, value: number, unit: string, more: Partial<Row> = {}): Row => ({
    name: `${name}: ${what}`,
    value,
    unit,
    ...more,
  });
  return createReport('suggest', [
    row('take in all, embed and learn to rank', (remembered - began) / 1_000, 's'),
    row('graph, and learn to plan', (learned - remembered) / 1_000, 's'),
    row('resident memory before', before.resident / 1e6, 'MB'),
    row('resident memory after', after.resident / 1e6, 'MB'),
    row('heap they take', (after.heap - before.heap) / 1e6, 'MB'),
    ...(['new words', 'words known'] as const).flatMap((kind) => {
      const base = median(times[kind].rank.map(({ ms }) => ms));
      return (['rank', 'suggest', 'next', 'attention'] as const).flatMap((what) => {
        const own = times[kind][what].map(({ ms }) => ms);
        const cpu = times[kind][what].map(({ cpuMs }) => cpuMs);
        const ratio = what === 'rank' ? {} : { ratio: median(own) / base };
        const title = `${what === 'rank' ? 'rank alone' : what}, ${kind}`;
        return [
          row(`${title}, median`, median(own), 'ms', { n: own.length, ...ratio }),
          row(`${title}, P95`, quantile(own, 0.95), 'ms', { n: own.length }),
          row(`${title}, CPU, median`, median(cpu), 'ms', { n: cpu.length }),
          row(`${title}, CPU, P95`, quantile(cpu, 0.95), 'ms', { n: cpu.length }),
        ];
      });
    }),
    row('take in one execution, median', median(taken), 'ms', { n: taken.length }),
    row('take in one execution, P95', quantile(taken, 0.95), 'ms', { n: taken.length }),
    row('until it is found by meaning, median', median(found), 'ms', { n: found.length }),
  ]);

  /** Alternately, each in its own words; then again with the embeddings cached. */
  async function askAll() {
    const measured = () => ({
      rank: [] as Cost[],
      suggest: [] as Cost[],
      next: [] as Cost[],
      attention: [] as Cost[],
    });
    const all = { 'new words': measured(), 'words known': measured() };
    for (const { query, steps } of questions) {
      const texts = ['Thanks.', 'Thank you.', 'Best.'].map((end) => `${query} ${end}`);
      const [ranked, planned, continued] = texts as [string, string, string];
      for (const own of [all['new words'], all['words known']]) {
        own.rank.push(await costOf(() => discovery.weigh(ranked)));
        own.suggest.push(await costOf(() => suggester.suggest(planned)));
        own.next.push(await costOf(() => suggester.next(continued, steps.slice(0, -1))));
        const { evidence } = await suggester.suggest(planned);
        const attention = everyHead();
        own.attention.push(await costOf(async () => headViews({ ...evidence, attention })));
        for (const text of texts) await embedQuestion(discovery, text);
      }
    }
    return all;
  }

  /** One after the other, as they arrive in daily work. */
  async function takeAll() {
    const { traces } = readTraces(rows.slice(SIZES.executions), {
      resolve: (text) => toolSet.idOf.get(text),
      now: new Date(0),
    });
    const own = { taken: [] as number[], found: [] as number[] };
    for (const trace of traces) {
      const start = performance.now();
      await discovery.remember([trace]);
      graph.apply(graphOf([trace]));
      pairs.add(trace);
      suggester.remember([trace]);
      own.taken.push(performance.now() - start);
      await discovery.settled();
      own.found.push(performance.now() - start);
    }
    return own;
  }
}

/** The most that attention can cost: all heads with borrowing, whether or not they are in use. */
function everyHead(): AttentionModel {
  const weights = Float64Array.from([...HEAD_WEIGHTS, ...ANCHOR_SIGNALS.map(() => 0)]);
  return { heads: HEAD_NAMES.map((name) => ({ name, weights })), borrows: true };
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1_000 };
}

/** Memory after garbage collection. */
function usedBytes(): { readonly resident: number; readonly heap: number } {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { resident: rss, heap: heapUsed + arrayBuffers };
}
