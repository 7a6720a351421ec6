import type { ExecutionTrace, ToolId } from '../core/index.js';
import { graphOf, KnowledgeGraph, type Metrics } from '../graph/index.js';
import { BindingMemory } from '../planner/index.js';
import type { ChoiceExample } from '../ranking/index.js';
import { MOST_MEMBERS } from './choose-members.js';
import {
  type Evidence,
  evidenceOf,
  type EvidencePorts,
  type Knowledge,
  type Prospects,
} from './evidence.js';
import { type LinkCandidate, type LinkOptions, linkSignals } from './link-signals.js';
import { type MemberCandidate, memberSignals } from './member-signals.js';
import { nextSignals } from './next-signals.js';
import { type PastPlan, pairKey, pastPlan, splitPair } from './past-plan.js';
import { PlanMemory } from './plan-memory.js';

export interface ReplayPorts extends EvidencePorts, LinkOptions {
  readonly serverTools: (id: ToolId) => readonly ToolId[];
  /** What would have been said of a past request if it and its group had never been. */
  readonly weighAgain: (id: string) => Prospects | undefined;
  /** As they are now. */
  readonly metrics: () => Metrics;
  /** Lets others go first. */
  readonly pause: () => Promise<void>;
}

interface Weighed<Candidate> extends ChoiceExample {
  /** What the signals of each are about. */
  readonly weighed: readonly Candidate[];
}

/** A past request, asked again with what the other folds alone tell. */
export interface PlanExample {
  readonly fold: number;
  readonly evidence: Evidence;
  /** As far as its tools are still there. */
  readonly plan: PastPlan;
  readonly members: Weighed<MemberCandidate>;
  /** Missing where nothing was recorded of what went where. */
  readonly links?: Weighed<LinkCandidate>;
  readonly next: readonly ChoiceExample[];
}

export const FOLDS = 3;
/** More teach no more and take longer. */
const MOST_EXAMPLES = 240;
/** Of a long run so many: the others would outweigh all short ones. */
const MOST_STEPS = 8;
const TAKEN_AT_ONCE = 500;

/** Asks past requests again. Those of one group are never told of each other. */
export async function replayPlans(
  traces: readonly ExecutionTrace[],
  ports: ReplayPorts,
): Promise<readonly PlanExample[]> {
  const groups = [...new Set(traces.map(groupOf))];
  const folds = new Map(groups.map((group, place) => [group, place % FOLDS]));
  const isIn = (fold: number) => (trace: ExecutionTrace) => folds.get(groupOf(trace)) === fold;
  const examples: PlanExample[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const own = traces.filter(isIn(fold));
    const others = traces.filter((trace) => !isIn(fold)(trace));
    const knowledge = await knowledgeOf(others, ports);
    const telling = own.filter(({ ok, intent }) => ok && intent !== '').map(pastPlan);
    for (const plan of sample(telling, MOST_EXAMPLES / FOLDS)) {
      const example = exampleOf(plan, fold, knowledge, ports);
      if (example) examples.push(example);
      await ports.pause();
    }
  }
  return examples;
}

const groupOf = ({ id, group }: ExecutionTrace): string => group ?? id;

/** What some executions alone tell. */
async function knowledgeOf(
  traces: readonly ExecutionTrace[],
  { metrics, pause }: ReplayPorts,
): Promise<Knowledge> {
  const graph = new KnowledgeGraph();
  const pairs = new BindingMemory();
  const plans = new PlanMemory();
  for (let start = 0; start < traces.length; start += TAKEN_AT_ONCE) {
    const some = traces.slice(start, start + TAKEN_AT_ONCE);
    graph.apply(graphOf(some));
    for (const trace of some) {
      pairs.add(trace);
      plans.add(trace);
    }
    await pause();
  }
  return { graph, metrics: metrics(), pairs, plans };
}

function exampleOf(
  plan: PastPlan,
  fold: number,
  knowledge: Knowledge,
  ports: ReplayPorts,
): PlanExample | undefined {
  const prospects = ports.weighAgain(plan.id);
  const tools = plan.tools.filter((tool) => ports.toolOf(tool));
  if (!prospects || tools.length === 0) return undefined;
  const evidence = evidenceOf(plan.intent, prospects, knowledge, ports);
  const wanted = new Set(tools);
  const { flows: recorded, ...rest } = plan;
  const flows = flowsAmong(wanted, recorded);
  const isTelling = flows.size > 0 && tools.length <= MOST_MEMBERS;
  return {
    fold,
    evidence,
    plan: { ...rest, tools, ...(flows.size > 0 && { flows }) },
    members: weighed(memberSignals(evidence), ({ tool }) => wanted.has(tool)),
    ...(isTelling && {
      links: weighed(linkSignals(tools, evidence, ports).links, ({ from, to }) =>
        flows.has(pairKey(from, to)),
      ),
    }),
    next: nextExamples(plan, evidence, ports),
  };
}

/** Without those of tools that are gone or did not work: nothing could be right about them. */
function flowsAmong(
  tools: ReadonlySet<ToolId>,
  flows: PastPlan['flows'] = new Set<string>(),
): ReadonlySet<string> {
  return new Set([...flows].filter((key) => splitPair(key).every((tool) => tools.has(tool))));
}

function weighed<Candidate extends { readonly signals: Float64Array }>(
  candidates: readonly Candidate[],
  isRight: (candidate: Candidate) => boolean,
): Weighed<Candidate> {
  return {
    weighed: candidates,
    candidates: candidates.map(({ signals }) => signals),
    isRight: candidates.map(isRight),
  };
}

function nextExamples(
  { steps }: PastPlan,
  evidence: Evidence,
  { serverTools }: ReplayPorts,
): readonly ChoiceExample[] {
  const places = steps.map((_, place) => place).slice(1);
  return spread(places, MOST_STEPS).flatMap((place): ChoiceExample[] => {
    const candidates = nextSignals(steps.slice(0, place), evidence, serverTools);
    const example = weighed(candidates, ({ tool }) => tool === steps[place]);
    return example.isRight.includes(true) ? [example] : [];
  });
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
