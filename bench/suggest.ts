/**
 * What suggesting costs with much experience: the steps of a plan, the whole answer with missing
 * steps and arguments, and the next step, against ranking alone, which every answer needs; and what
 * one more execution costs. The real model embeds texts
 * in its own process: its work counts in the time of an answer, but not in the CPU time beside it,
 * which hardly depends on other load of the machine.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ANCHOR_SIGNALS, type AttentionModel, HEAD_NAMES } from '../src/attention/index.js';
import type { ExecutionTrace } from '../src/core/index.js';
import { HEAD_WEIGHTS, readTraces } from '../src/discovery/index.js';
import { graphOf } from '../src/graph/index.js';
import type { Suggestion } from '../src/suggest/index.js';
import { headViews } from '../src/suggest/members/head-signals.js';
import { serveWorkflow } from '../src/workflows/index.js';
import {
  type SuggestedWorkflow,
  suggestWorkflow,
} from '../src/workflows/suggest/suggest-workflow.js';
import { fakeClient } from '../test/helpers/fake-client.js';
import type { BenchOptions } from './data/options.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readyWorkflows } from './data/ready-workflows.js';
import { syntheticExecutions, withArguments } from './data/synthetic-executions.js';
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
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await using store = await vectorStore(values['data']);
  const before = usedBytes();
  const began = performance.now();
  await using ready = await readyDiscovery({ store, tools: toolSet, memory, say });
  const { discovery } = ready;
  const remembered = performance.now();
  const workflows = await readyWorkflows({ discovery, toolSet, traces: tracesOf(memory) });
  const { suggester } = workflows;
  const learned = performance.now();
  const after = usedBytes();
  const times = await askAll();
  const made = await lookAtPlans();
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
      return (['rank', 'suggest', 'answer', 'next', 'attention'] as const).flatMap((what) => {
        const own = times[kind][what].map(({ ms }) => ms);
        const cpu = times[kind][what].map(({ cpuMs }) => cpuMs);
        const ratio = what === 'rank' ? {} : { ratio: median(own) / base };
        const title = `${TITLES[what]}, ${kind}`;
        return [
          row(`${title}, median`, median(own), 'ms', { n: own.length, ...ratio }),
          row(`${title}, P95`, quantile(own, 0.95), 'ms', { n: own.length }),
          row(`${title}, CPU, median`, median(cpu), 'ms', { n: cpu.length }),
          row(`${title}, CPU, P95`, quantile(cpu, 0.95), 'ms', { n: cpu.length }),
        ];
      });
    }),
    ...made.map(({ what, mean }) =>
      row(`a plan: ${what}, mean`, mean, '', { n: questions.length }),
    ),
    row('take in one execution, median', median(taken), 'ms', { n: taken.length }),
    row('take in one execution, P95', quantile(taken, 0.95), 'ms', { n: taken.length }),
    row('until it is found by meaning, median', median(found), 'ms', { n: found.length }),
  ]);

  /** Executions as the daemon keeps them, with arguments. */
  function tracesOf(some: readonly unknown[]): readonly ExecutionTrace[] {
    const resolve = (text: string) => toolSet.idOf.get(text);
    const { traces } = readTraces(some, { resolve, now: new Date(0) });
    return traces.map((trace) => withArguments(trace, toolSet));
  }

  /** Alternately, each in its own words; then again with the embeddings cached. */
  async function askAll() {
    const measured = () => ({
      rank: [] as Cost[],
      suggest: [] as Cost[],
      answer: [] as Cost[],
      next: [] as Cost[],
      attention: [] as Cost[],
    });
    const all = { 'new words': measured(), 'words known': measured() };
    for (const { query, steps } of questions) {
      const texts = ['Thanks.', 'Thank you.', 'Best.', 'Cheers.'].map((end) => `${query} ${end}`);
      const [ranked, planned, continued, answered] = texts as [string, string, string, string];
      for (const own of [all['new words'], all['words known']]) {
        own.rank.push(await costOf(() => discovery.weigh(ranked)));
        own.suggest.push(await costOf(() => suggester.suggest(planned)));
        own.answer.push(await costOf(() => answerTo(answered)));
        own.next.push(await costOf(() => suggester.next(continued, steps.slice(0, -1))));
        const { evidence } = await suggester.suggest(planned);
        const attention = everyHead();
        own.attention.push(await costOf(async () => headViews({ ...evidence, attention })));
        for (const text of texts) await embedQuestion(discovery, text);
      }
    }
    return all;
  }

  /** What a client gets that asks for a plan: missing steps added, arguments filled, put in words. */
  async function answerTo(intent: string): Promise<void> {
    const { context } = fakeClient('bench');
    const { isError } = await serveWorkflow(workflows, { intent, mode: 'suggest' }, context);
    if (isError) throw new Error(`no plan for: ${intent}`);
  }

  /** Whether the measured plans have what costs time. */
  async function lookAtPlans() {
    const plans: SuggestedWorkflow[] = [];
    for (const { query } of questions) plans.push(await suggestWorkflow(workflows, query));
    const mean = (count: (plan: SuggestedWorkflow) => number) =>
      plans.reduce((sum, plan) => sum + count(plan), 0) / plans.length;
    return [
      { what: 'tasks', mean: mean(({ filled }) => filled.plan.tasks.length) },
      { what: 'values filled in', mean: mean(({ filled }) => filled.values.length) },
      { what: 'steps added', mean: mean(({ suggestion }) => addedIn(suggestion.paths)) },
      { what: 'values missing', mean: mean(({ filled }) => filled.holes.length) },
    ];
  }

  /** One after the other, as they arrive in daily work. */
  async function takeAll() {
    const traces = tracesOf(rows.slice(SIZES.executions));
    const own = { taken: [] as number[], found: [] as number[] };
    for (const trace of traces) {
      const start = performance.now();
      await discovery.remember([trace]);
      workflows.graph.apply(graphOf([trace]));
      workflows.planning.learn([trace]);
      suggester.remember([trace]);
      own.taken.push(performance.now() - start);
      await discovery.settled();
      own.found.push(performance.now() - start);
    }
    return own;
  }
}

const TITLES = {
  rank: 'rank alone',
  suggest: 'suggest',
  answer: 'plan with missing steps and arguments',
  next: 'next',
  attention: 'attention',
};

function addedIn(paths: Suggestion['paths'] = []): number {
  return new Set(paths.flatMap(({ added }) => added)).size;
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
