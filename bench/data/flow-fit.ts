import { taskId } from '../../src/core/index.js';
import { type ChoiceExample, fitChoice, spreadOver, weigh } from '../../src/learning/index.js';
import {
  type BindingCandidate,
  bindingCandidates,
  WEIGHED_SIGNALS,
} from '../../src/planner/flow/binding-candidates.js';
import { chooseFlowLinks } from '../../src/planner/flow/choose-links.js';
import { type BindingClaim, bindingClaims, type FlowRow } from './binding-claims.js';
import { plannableTools } from './flow-answers.js';
import { dataFile } from './kit.js';
import { readRows } from './rows.js';
import { readToolSet } from './tool-set.js';

/** A question of a set with all candidate flows. */
export interface FlowQuestion {
  /** `from to` of the actual flows. */
  readonly edges: ReadonlySet<string>;
  /** `from to param` of the flows whose parameter is named and exists. */
  readonly bindings: ReadonlySet<string>;
  /** Candidates by `to param`, then by `from`. */
  readonly parameters: readonly Parameter[];
  readonly claims: readonly BindingClaim[];
}

interface Parameter {
  readonly to: string;
  readonly param: string;
  /** Whether the data names the parameter of every flow into this tool. */
  readonly isTold: boolean;
  readonly sources: ReadonlyMap<string, readonly BindingCandidate[]>;
}

const NOTHING = new Float64Array(WEIGHED_SIGNALS.length);
/** No set outweighs the others by its size. */
const MOST_EXAMPLES = 800;
/** Strength of the prior towards weights of 0, in examples. */
const PRIOR_EXAMPLES = 20;
/** The compared field depends on the weights, so each round chooses it again after the fit. */
const ROUNDS = 3;

export function readQuestions(set: string): readonly FlowQuestion[] {
  const toolSet = readToolSet(dataFile(set, 'tools.jsonl'));
  const tools = plannableTools(toolSet);
  const rows = readRows(dataFile(set, 'queries.jsonl')) as readonly FlowRow[];
  return rows.flatMap((row) => {
    const edges = (row.edges ?? []).filter(({ s, t }) => s !== t);
    if (edges.length === 0) return [];
    const names = [...new Set(row.order ?? row.gold.map(([first = '']) => first))].toSorted();
    const tasks = names.map((name) => ({
      id: taskId(name),
      tool: toolSet.idOf.get(name)!,
      needs: [],
      open: 'all' as const,
    }));
    const bindings = new Set(edges.map(({ s, t, param }) => `${s}\n${t}\n${param}`));
    const byParameter = groupBy(
      bindingCandidates(tasks, { tools }),
      ({ to, param }) => `${to}\n${param}`,
    );
    const parameters = [...byParameter.values()].map(([first, ...rest]): Parameter => {
      const { to, param } = first!;
      const isTold = edges
        .filter(({ t }) => t === (to as string))
        .every((edge) => byParameter.has(`${to}\n${edge.param}`));
      return { to, param, isTold, sources: groupBy([first!, ...rest], ({ from }) => from) };
    });
    return [
      {
        edges: new Set(edges.map(({ s, t }) => `${s}\n${t}`)),
        bindings,
        parameters,
        claims: bindingClaims(row, toolSet, tools),
      },
    ];
  });
}

/** Weights that best explain which values went where, regularized towards 0. */
export async function fitWeights(
  sets: readonly (readonly FlowQuestion[])[],
): Promise<Float64Array> {
  const prior = Float64Array.from(WEIGHED_SIGNALS, ({ name }) => (name === 'bias' ? -3 : 0));
  let weights: Float64Array = Float64Array.from(WEIGHED_SIGNALS, ({ name }) =>
    name === 'bias' ? -3 : Number(name === 'name'),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const examples = sets.flatMap((questions) =>
      spreadOver(
        questions.flatMap((question) => examplesOf(question, weights)),
        MOST_EXAMPLES,
      ),
    );
    weights = await fitChoice(examples, {
      prior,
      pause: async () => {},
      priorExamples: PRIOR_EXAMPLES,
    });
  }
  return weights;
}

/** Known parameters choose their source or none; else each pair of tools is linked or not. */
function examplesOf(
  { edges, bindings, parameters }: FlowQuestion,
  weights: Float64Array,
): readonly ChoiceExample[] {
  const told = parameters
    .filter(({ isTold }) => isTold)
    .map(({ to, param, sources }) => {
      const best = [...sources.values()].map((some) => bestOf(some, weights));
      const isRight = best.map(({ from }) => bindings.has(`${from}\n${to}\n${param}`));
      return {
        candidates: [...best.map(({ signals }) => signals), NOTHING],
        isRight: [...isRight, !isRight.includes(true)],
      };
    });
  const untold = parameters
    .filter(({ isTold }) => !isTold)
    .flatMap(({ sources }) => [...sources.values()].flat());
  const pairs = groupBy(untold, ({ from, to }) => `${from}\n${to}`);
  return [
    ...told,
    ...[...pairs].map(([pair, some]) => ({
      candidates: [bestOf(some, weights).signals, NOTHING],
      isRight: [edges.has(pair), !edges.has(pair)],
    })),
  ];
}

function bestOf(candidates: readonly BindingCandidate[], weights: Float64Array): BindingCandidate {
  return candidates.reduce((best, one) =>
    weigh(one.signals, weights) > weigh(best.signals, weights) ? one : best,
  );
}

/** F1 of the flows that the weights infer, with links above a threshold. */
export function flowF1(
  questions: readonly FlowQuestion[],
  weights: Float64Array,
  from: number,
): number {
  let [hits, found, wanted] = [0, 0, 0];
  for (const question of questions) {
    const links = new Set(linksOf(question, weights, from));
    hits += [...links].filter((edge) => question.edges.has(edge)).length;
    found += links.size;
    wanted += question.edges.size;
  }
  return (2 * hits) / Math.max(1, found + wanted);
}

/** Like `inferFlow`, without intermediate steps. */
function linksOf(
  { parameters }: FlowQuestion,
  weights: Float64Array,
  least: number,
): readonly string[] {
  const best = parameters.map(({ sources }) =>
    [...sources.values()].map((some) => {
      const one = bestOf(some, weights);
      return { one, logOdds: weigh(one.signals, weights) };
    }),
  );
  const most = new Map<string, number>();
  const keyOf = ({ from, to, path }: BindingCandidate) => `${from}\n${to}\n${path}`;
  for (const { one, logOdds } of best.flat()) {
    most.set(keyOf(one), Math.max(logOdds, most.get(keyOf(one)) ?? -Infinity));
  }
  const unseen = WEIGHED_SIGNALS.findIndex(({ name }) => name === 'unseen');
  const links = best.flatMap((sources) => {
    const odds = sources.map(({ one, logOdds }) => Math.exp(2 * logOdds - most.get(keyOf(one))!));
    return sources.map(({ one: { from, to, param } }, place) => {
      const rivals = odds.filter(
        (_, other) => other !== place && sources[other]!.one.signals[unseen] === 0,
      );
      const own = odds[place]!;
      const score = own / (1 + own + rivals.reduce((sum, other) => sum + other, 0));
      return { from, to, param, score };
    });
  });
  return chooseFlowLinks(
    links.filter(({ score }) => score >= least),
    [],
  ).chosen.map(({ from, to }) => `${from}\n${to}`);
}

function groupBy<One>(
  all: readonly One[],
  keyOf: (one: One) => string,
): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
