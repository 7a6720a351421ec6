import type { CatalogTool, ExecutionTrace, ToolId } from '../core/index.js';
import { graphOf, KnowledgeGraph, type Metrics } from '../graph/index.js';
import { BindingMemory, type PlannableTool } from '../planner/index.js';
import { type ChoiceExample, fitChoice, fitOdds, weigh } from '../ranking/index.js';
import { chooseLinks } from './choose-links.js';
import { confidenceSignals } from './confidence.js';
import type { Evidence, Knowledge, Likely, SimilarPlan } from './evidence.js';
import { linkSignals } from './link-signals.js';
import { MEMBER_SIGNALS, memberSignals } from './member-signals.js';
import { DEFAULT_MODELS, FIXED_MEMBERS, type Models } from './models.js';
import { nextSignals } from './next-signals.js';
import { type PastPlan, pairKey, pastPlan } from './past-plan.js';
import { PlanMemory } from './plan-memory.js';
import { shapePlan } from './plan-shape.js';

/** What discovery says of a request, by the ids of past executions. */
export interface Prospects {
  readonly likely: readonly Likely[];
  readonly similar: readonly { readonly id: string; readonly share: number }[];
  readonly trust: number;
}

export interface LearnPorts {
  readonly toolOf: (id: ToolId) => CatalogTool | undefined;
  readonly serverTools: (id: ToolId) => readonly ToolId[];
  readonly plannable: (ids: Iterable<ToolId>) => ReadonlyMap<ToolId, PlannableTool>;
  /** What would have been said of a past request if it and its group had never been. */
  readonly weighAgain: (id: string) => Prospects | undefined;
  /** As they are now. */
  readonly metrics: () => Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Lets others go first. */
  readonly pause: () => Promise<void>;
}

export type ModelName = keyof Models;

/** Weights, and how well they and those they replace do on executions they were not learned from. */
export interface LearnedModels {
  readonly models: Models;
  /** From 0 to 1, more is better; of each kind as it was before and as learned. */
  readonly heldOut: Readonly<
    Record<ModelName, { readonly before: number; readonly learned: number }>
  >;
  readonly examples: number;
}

const FOLDS = 3;
const LEAST_EXAMPLES = 20;
/** More teach no more and take longer. */
const MOST_EXAMPLES = 240;
/** Less likely ones are noise. */
const MOST_LIKELY = 60;
/** What learned weights must bring before they are used. */
const MARGIN = 0.003;

interface Example {
  readonly fold: number;
  readonly evidence: Evidence;
  readonly plan: PastPlan;
  readonly members: ChoiceExample;
  readonly links?: ChoiceExample;
  readonly next: readonly ChoiceExample[];
}

/**
 * Asks past requests again, each with what the others alone tell, and finds the weights that would have
 * answered them best. Weights that do not do better on requests they were not learned from are not used.
 */
export async function learnModels(
  traces: readonly ExecutionTrace[],
  ports: LearnPorts,
): Promise<LearnedModels | undefined> {
  const examples = await replay(traces, ports);
  if (examples.length < LEAST_EXAMPLES) return undefined;
  const { pause } = ports;
  const fit = async (some: readonly Example[]): Promise<Models> => {
    const members = await fitOdds(
      some.map((one) => one.members),
      {
        prior: DEFAULT_MODELS.members,
        pause,
        isFixed: (at) => FIXED_MEMBERS.has(MEMBER_SIGNALS[at]!),
      },
    );
    const links = await fitOdds(
      some.flatMap((one) => one.links ?? []),
      { prior: DEFAULT_MODELS.links, pause },
    );
    const next = await fitChoice(
      some.flatMap((one) => one.next),
      { prior: DEFAULT_MODELS.next, pause },
    );
    return { ...DEFAULT_MODELS, members, links, next };
  };
  const learnedWithout = new Map<number, Models>();
  for (let fold = 0; fold < FOLDS; fold++) {
    learnedWithout.set(fold, await fit(examples.filter((one) => one.fold !== fold)));
  }
  const judge = (name: 'members' | 'links' | 'next') => {
    const of = (modelsOf: (fold: number) => Models) =>
      mean(examples.flatMap((one) => quality(name, one, modelsOf(one.fold), ports)));
    return { before: of(() => DEFAULT_MODELS), learned: of((fold) => learnedWithout.get(fold)!) };
  };
  const heldOut = { members: judge('members'), links: judge('links'), next: judge('next') };
  const all = await fit(examples);
  const isBetter = (name: 'members' | 'links' | 'next') =>
    heldOut[name].learned > heldOut[name].before + MARGIN;
  const chosen = {
    members: isBetter('members') ? all.members : DEFAULT_MODELS.members,
    links: isBetter('links') ? all.links : DEFAULT_MODELS.links,
    next: isBetter('next') ? all.next : DEFAULT_MODELS.next,
  };
  // How far plans can be trusted is learned of plans that were made without their own answer.
  const judged = examples.map((one): ChoiceExample => {
    const members = isBetter('members') ? learnedWithout.get(one.fold)!.members : chosen.members;
    const models = { ...DEFAULT_MODELS, members };
    const shape = shapePlan(one.evidence, { models, planning: planningOf(one.evidence, ports) });
    return {
      candidates: [confidenceSignals(shape, one.evidence)],
      isRight: [isSame(shape.members, one.plan.tools)],
    };
  });
  const confidence = await fitOdds(judged, {
    prior: DEFAULT_MODELS.confidence,
    pause,
    priorExamples: 10,
  });
  const models = { ...chosen, confidence };
  return {
    models,
    heldOut: {
      ...heldOut,
      confidence: {
        before: mean(judged.map((one) => sureness(one, DEFAULT_MODELS.confidence))),
        learned: mean(judged.map((one) => sureness(one, confidence))),
      },
    },
    examples: examples.length,
  };
}

/** One minus the squared error of the probability. */
function sureness({ candidates, isRight }: ChoiceExample, weights: Float64Array): number {
  const chance = 1 / (1 + Math.exp(-weigh(candidates[0]!, weights)));
  return 1 - (chance - (isRight[0] ? 1 : 0)) ** 2;
}

function isSame(members: readonly Likely[], tools: readonly ToolId[]): boolean {
  const wanted = new Set(tools);
  return members.length === wanted.size && members.every(({ tool }) => wanted.has(tool));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function replay(
  traces: readonly ExecutionTrace[],
  ports: LearnPorts,
): Promise<readonly Example[]> {
  const groups = [...new Set(traces.map(({ id, group }) => group ?? id))];
  const foldOf = new Map(groups.map((group, place) => [group, place % FOLDS]));
  const foldsOf = (trace: ExecutionTrace) => foldOf.get(trace.group ?? trace.id)!;
  const examples: Example[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = traces.filter((trace) => foldsOf(trace) !== fold);
    const knowledge = knowledgeOf(others, ports.metrics());
    await ports.pause();
    const held = traces
      .filter((trace) => trace.ok && trace.intent !== '' && foldsOf(trace) === fold)
      .map(pastPlan);
    for (const plan of sample(held, MOST_EXAMPLES / FOLDS)) {
      const example = exampleOf(plan, fold, knowledge, ports);
      if (example) examples.push(example);
      await ports.pause();
    }
  }
  return examples;
}

/** What some executions alone tell. */
function knowledgeOf(traces: readonly ExecutionTrace[], metrics: Metrics): Knowledge {
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  const pairs = new BindingMemory();
  const plans = new PlanMemory();
  for (const trace of traces) {
    pairs.add(trace);
    plans.add(trace);
  }
  return { graph, metrics, pairs, plans };
}

function exampleOf(
  plan: PastPlan,
  fold: number,
  knowledge: Knowledge,
  ports: LearnPorts,
): Example | undefined {
  const prospects = ports.weighAgain(plan.id);
  const tools = plan.tools.filter((tool) => ports.toolOf(tool));
  if (!prospects || tools.length === 0) return undefined;
  const evidence = evidenceOf(plan.intent, prospects, knowledge, ports);
  const wanted = new Set(tools);
  const members = memberSignals(evidence);
  const hasLinks = plan.flows !== undefined && tools.length > 1;
  const planning = { tools: ports.plannable(tools) };
  const links = hasLinks ? linkSignals(tools, evidence, { planning }).links : [];
  return {
    fold,
    evidence,
    plan: { ...plan, tools },
    members: {
      candidates: members.map(({ signals }) => signals),
      isRight: members.map(({ tool }) => wanted.has(tool)),
    },
    ...(hasLinks && {
      links: {
        candidates: links.map(({ signals }) => signals),
        isRight: links.map(({ from, to }) => plan.flows?.has(pairKey(from, to)) ?? false),
      },
    }),
    next: plan.steps.slice(1).flatMap((tool, place): ChoiceExample[] => {
      const candidates = nextSignals(plan.steps.slice(0, place + 1), evidence, ports.serverTools);
      const isRight = candidates.map((one) => one.tool === tool);
      return isRight.includes(true)
        ? [{ candidates: candidates.map(({ signals }) => signals), isRight }]
        : [];
    }),
  };
}

/** What is known together with what discovery says of one request. */
export function evidenceOf(
  intent: string,
  { likely, similar, trust }: Prospects,
  knowledge: Knowledge,
  { toolOf, now }: Pick<LearnPorts, 'toolOf' | 'now'>,
): Evidence {
  const plans = similar.flatMap(({ id, share }): SimilarPlan[] => {
    const plan = knowledge.plans.get(id);
    return plan ? [{ plan, share }] : [];
  });
  return {
    ...knowledge,
    intent,
    likely: likely.slice(0, MOST_LIKELY),
    similar: plans,
    trust,
    toolOf,
    now: now(),
  };
}

function planningOf({ likely, similar }: Evidence, { plannable }: LearnPorts) {
  const ids = new Set([
    ...likely.map(({ tool }) => tool),
    ...similar.flatMap(({ plan }) => plan.tools),
  ]);
  return { tools: plannable(ids) };
}

/** How well a model answers one example: F1 of members or links, or the reciprocal place of what came next. */
function quality(
  name: 'members' | 'links' | 'next',
  { evidence, plan, links, next }: Example,
  models: Models,
  ports: LearnPorts,
): readonly number[] {
  switch (name) {
    case 'members': {
      const shape = shapePlan(evidence, { models, planning: planningOf(evidence, ports) });
      return [
        f1(
          shape.members.map(({ tool }) => tool),
          new Set(plan.tools),
        ),
      ];
    }
    case 'links': {
      if (!links || !plan.flows) return [];
      const { links: candidates } = linkSignals(plan.tools, evidence, {
        planning: { tools: ports.plannable(plan.tools) },
      });
      const { links: kept, broken } = chooseLinks(candidates, models.links);
      const chosen = [...kept, ...broken];
      return [
        f1(
          chosen.map(({ from, to }) => pairKey(from, to)),
          plan.flows,
        ),
      ];
    }
    case 'next':
      return next.map(({ candidates, isRight }) => {
        const scores = candidates.map((signals) => weigh(signals, models.next));
        const own = scores[isRight.indexOf(true)]!;
        return 1 / (1 + scores.filter((score) => score > own).length);
      });
  }
}

function f1(chosen: readonly string[], right: ReadonlySet<string>): number {
  const hits = chosen.filter((one) => right.has(one)).length;
  return (2 * hits) / Math.max(1, chosen.length + right.size);
}

/** Half of them with values that went on, if there are so many: only those tell of links. */
function sample(plans: readonly PastPlan[], most: number): readonly PastPlan[] {
  const linked = spread(
    plans.filter(({ flows }) => flows !== undefined),
    most / 2,
  );
  const isTaken = new Set(linked);
  const rest = plans.filter((plan) => !isTaken.has(plan));
  return [...linked, ...spread(rest, most - linked.length)];
}

/** Evenly over all of them, and always the same ones. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  const count = Math.min(items.length, Math.floor(most));
  return Array.from({ length: count }, (_, place) => items[Math.floor(place * step)]!);
}
