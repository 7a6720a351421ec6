/**
 * What the calls an agent just made say of what it looks for next. Requests of public sets that take
 * several tools are asked again half way: with the first half of the tools called, the rest is wanted.
 * Memory and questions are split by the neutral kit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as z from 'zod';

import type { ToolId } from '../src/core/index.js';
import { type Discovery, NO_TRAIL, type Trail } from '../src/discovery/index.js';
import {
  MEMORY_MODEL,
  type Model,
  namedSignals,
  rankCandidates,
  type RankedTool,
  SESSION_MODEL,
} from '../src/ranking/index.js';
import { dataFile, kit, requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { parseRows } from './data/rows.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, type Report, type Row } from './report.js';

const SETS = ['nestful', 'tau2', 'toollinkos', 'traject', 'ultratool'];
/** More tell no more. */
const MOST_QUESTIONS = 300;

const RequestRow = z.object({
  id: z.coerce.string(),
  group: z.string().optional(),
  query: z.string(),
  gold: z.array(z.array(z.string()).min(1)).default([]),
  order: z.array(z.string()).nullish(),
});

/** A request half way: what was called for it, and what is still to be. */
interface HalfWay {
  readonly query: string;
  readonly group: string;
  readonly called: readonly string[];
  readonly rest: readonly string[];
}

const ALONE = 'memory';
const WAYS: Readonly<Record<string, Model>> = {
  [ALONE]: MEMORY_MODEL,
  'memory + related': onlyWith('related'),
  'memory + next': onlyWith('next'),
  'memory + session': SESSION_MODEL,
};
const FULL = 'full (learned, gated)';

export async function run({ values }: BenchOptions): Promise<Report> {
  requireKit();
  const wanted = values['sets']?.split(',') ?? SETS;
  const folder = mkdtempSync(join(tmpdir(), 'pml-sessions-'));
  await using store = await vectorStore(values['data']);
  const rows: Row[] = [];
  try {
    for (const set of wanted) {
      const toolSet = readToolSet(dataFile(set, 'tools.jsonl'));
      kit('split', '--queries', dataFile(set, 'queries.jsonl'), '--out', folder);
      const past = parseRows(join(folder, 'memory.jsonl'), RequestRow);
      const memory = [...past, ...past.flatMap(halfWay).map(asExecution)];
      const questions = parseRows(join(folder, 'validation.jsonl'), RequestRow)
        .flatMap(halfWay)
        .slice(0, MOST_QUESTIONS);
      const say = (text: string) => void process.stderr.write(`${set}: ${text}\n`);
      await using ready = await readyDiscovery({ store, tools: toolSet, memory, say });
      rows.push(...(await score(set, ready.discovery, { questions, toolSet })));
      const { kind, weights } = ready.discovery.status.ranking;
      const { related, next } = weights;
      say(`${kind}, related ${related?.toFixed(2)}, next ${next?.toFixed(2)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return createReport('sessions', rows);
}

function halfWay({ id, query, group, gold, order }: z.infer<typeof RequestRow>): HalfWay[] {
  const steps = [...new Set(order && order.length > 0 ? order : gold.map(([first]) => first!))];
  const middle = Math.ceil(steps.length / 2);
  if (steps.length < 2) return [];
  const [called, rest] = [steps.slice(0, middle), steps.slice(middle)];
  return [{ query, group: group ?? id, called, rest }];
}

function asExecution({ query, group, called, rest }: HalfWay) {
  const calls = (tools: readonly string[]) => tools.map((tool) => ({ tool }));
  return { intent: query, group, calls: calls(rest), before: calls(called) };
}

async function score(
  set: string,
  discovery: Discovery,
  { questions, toolSet }: { readonly questions: readonly HalfWay[]; readonly toolSet: ToolSet },
): Promise<readonly Row[]> {
  const places = new Map<string, number[]>();
  const idsOf = (names: readonly string[]) => names.flatMap((name) => toolSet.idOf.get(name) ?? []);
  for (const { query, called, rest } of questions) {
    const half = { query, called: idsOf(called), rest: idsOf(rest) };
    for (const [way, place] of await placesOf(discovery, half)) {
      places.set(way, [...(places.get(way) ?? []), place]);
    }
  }
  const base = scoresOf(places.get(ALONE) ?? []);
  return [...places].flatMap(([way, own]) =>
    Object.entries(scoresOf(own)).map(([name, value]): Row => ({
      name: `${set}: ${way}: ${name}`,
      value: 100 * value,
      unit: '%',
      n: own.length,
      ...(way !== ALONE && { ratio: value / base[name as keyof typeof base] }),
    })),
  );
}

interface Asked {
  readonly query: string;
  readonly called: readonly ToolId[];
  readonly rest: readonly ToolId[];
}

async function placesOf(discovery: Discovery, { query, called, rest }: Asked) {
  await embedQuestion(discovery, query);
  const at = new Date();
  const trail: Trail = { ...NO_TRAIL, called: called.map((tool) => ({ tool, ok: true, at })) };
  const { tools } = await discovery.weigh(query, { trail });
  const without = await discovery.weigh(query);
  // What was called is left out of all: it would come first, and is done.
  const placeIn = (ranked: readonly RankedTool[]) =>
    ranked
      .filter(({ tool }) => !called.includes(tool.id))
      .findIndex(({ tool }) => rest.includes(tool.id)) + 1;
  return [
    ...Object.entries(WAYS).map(
      ([way, model]) => [way, placeIn(rankCandidates(tools, model))] as const,
    ),
    [`${FULL}, without the session`, placeIn(without.tools)] as const,
    [FULL, placeIn(tools)] as const,
  ];
}

function onlyWith(signal: 'related' | 'next'): Model {
  const weights = Float64Array.from(MEMORY_MODEL.weights);
  const at = Object.keys(namedSignals(weights)).indexOf(signal);
  weights[at] = SESSION_MODEL.weights[at]!;
  return { ...MEMORY_MODEL, weights };
}

function scoresOf(places: readonly number[]) {
  const share = (isSo: (place: number) => boolean) =>
    places.filter(isSo).length / Math.max(1, places.length);
  const reciprocal = places.reduce((sum, place) => sum + (place > 0 ? 1 / place : 0), 0);
  return {
    'Hit@1': share((place) => place === 1),
    'Hit@3': share((place) => place > 0 && place <= 3),
    MRR: reciprocal / Math.max(1, places.length),
  };
}
