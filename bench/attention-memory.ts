/**
 * What attention keeps in the memory of the daemon with 2,000 tools and 50,000 executions: the
 * hypergraph, trace features and learned vectors of all tools. Once with runs of 500 procedures, once
 * with a different run every time, which is the most. Fails above 15 MB for 500 procedures.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { FeatureMemory, Hypergraph, VectorScorer } from '../src/attention/index.js';
import { type ExecutionTrace, seededRandom } from '../src/core/index.js';
import { readTraces } from '../src/discovery/index.js';
import { pastPlan } from '../src/suggest/past/past-plan.js';
import { planEdge } from '../src/suggest/past/plan-edge.js';
import { syntheticExecutions } from './data/synthetic-executions.js';
import type { ToolSet } from './data/tool-set.js';
import { createReport, type Report, type Row } from './report.js';

const SIZES = { tools: 2_000, executions: 50_000, procedures: 500, questions: 0 };
const DIMENSION = 384;
const MOST_MB = 15;
const SEED = 1;
const TAKEN_AT_ONCE = 1_000;

export async function run(): Promise<Report> {
  const { toolSet, rows } = syntheticExecutions(SIZES);
  const random = seededRandom(SEED);
  const names = [...toolSet.idOf.keys()];
  const another = (row: (typeof rows)[number]) => {
    const order = row.order.map(() => names[Math.floor(random() * names.length)]!);
    return { ...row, order, gold: order.map((tool) => [tool]), edges: [] };
  };
  // The first use loads code and fills caches of names, which are not attention's.
  partsOf(rows, toolSet);
  const measured = [
    { what: '500 procedures', parts: partsOf(rows, toolSet) },
    { what: 'a different run every time', parts: partsOf(rows.map(another), toolSet) },
  ];
  const report = createReport(
    'attention-memory',
    measured.flatMap(({ what, parts }) => rowsOf(what, parts)),
  );
  const all = totalOf(measured[0]!.parts);
  if (all > MOST_MB) throw new Error(`attention takes ${all.toFixed(1)} MB, more than ${MOST_MB}`);
  return report;
}

type Parts = Readonly<Record<'hypergraph' | 'trace features' | 'tool vectors', number>>;

function partsOf(rows: readonly object[], toolSet: ToolSet): Parts {
  const runs = new Hypergraph();
  const features = new FeatureMemory();
  return {
    hypergraph: megabytesOf(() => {
      each(rows, toolSet, (trace) => {
        const edge = planEdge(pastPlan(trace));
        if (edge) runs.add(edge);
      });
      return runs;
    }),
    'trace features': megabytesOf(() => {
      each(rows, toolSet, (trace) => features.add(trace));
      return features;
    }),
    'tool vectors': megabytesOf(() => vectorsOf(toolSet)),
  };
}

/** Executions are read a few at a time: what is kept of them is what is measured. */
function each(
  rows: readonly object[],
  { idOf }: ToolSet,
  take: (trace: ExecutionTrace) => void,
): void {
  for (let at = 0; at < rows.length; at += TAKEN_AT_ONCE) {
    const { traces } = readTraces(rows.slice(at, at + TAKEN_AT_ONCE), {
      resolve: (text) => idOf.get(text),
      now: new Date(0),
    });
    traces.forEach(take);
  }
}

function vectorsOf({ tools }: ToolSet): VectorScorer {
  const ids = [...tools.keys()];
  return new VectorScorer({
    space: 'bench',
    centre: new Float32Array(DIMENSION),
    scale: 1,
    tools: ids.map((id) => ({ id, hash: id })),
    biases: new Float32Array(ids.length).fill(1),
    residuals: new Float32Array(ids.length * DIMENSION).fill(0.01),
  });
}

function rowsOf(what: string, parts: Parts): readonly Row[] {
  const name = `${SIZES.tools} tools, ${SIZES.executions} executions, ${what}`;
  const row = (part: string, value: number): Row => {
    return { name: `${name}: ${part}`, value, unit: 'MB' };
  };
  return [
    ...Object.entries(parts).map(([part, megabytes]) => row(part, megabytes)),
    row('all of attention', totalOf(parts)),
  ];
}

function totalOf(parts: Parts): number {
  return Object.values(parts).reduce((sum, megabytes) => sum + megabytes, 0);
}

const kept: unknown[] = [];

/** Heap, buffers and WASM memory that a value holds, after garbage collection. */
function megabytesOf(make: () => unknown): number {
  const before = usedBytes();
  kept.push(make());
  return (usedBytes() - before) / 1e6;
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What a collection finalises, the next one frees.
  for (let time = 0; time < 3; time++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
