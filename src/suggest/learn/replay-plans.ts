import { type ExecutionTrace, inParts, type ToolId } from '../../core/index.js';
import { graphOf, KnowledgeGraph, type Metrics } from '../../graph/index.js';
import { assignFolds, type ChoiceExample, spreadOver } from '../../learning/index.js';
import { BindingMemory } from '../../planner/index.js';
import {
  type Evidence,
  evidenceOf,
  type EvidencePorts,
  type Knowledge,
  type Prospects,
} from '../evidence.js';
import { type LinkCandidate, type LinkOptions, linkSignals } from '../links/link-signals.js';
import { MOST_MEMBERS } from '../members/choose-members.js';
import { type MemberCandidate, memberSignals } from '../members/member-signals.js';
import { nextSignals } from '../next-signals.js';
import { type PastPlan, pairKey, pastPlan, splitPair } from '../past/past-plan.js';
import { PlanMemory } from '../past/plan-memory.js';

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
  traces: Iterable<ExecutionTrace>,
  ports: ReplayPorts,
): Promise<readonly PlanExample[]> {
  const folds = assignFolds(groupsOf(traces), FOLDS);
  const examples: PlanExample[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const isIn = (trace: ExecutionTrace) => folds.get(groupOf(trace)) === fold;
    const { knowledge, telling } = await split(traces, isIn, ports);
    for (const plan of sample(telling, MOST_EXAMPLES / FOLDS)) {
      const example = exampleOf(plan, fold, knowledge, ports);
      if (example) examples.push(example);
      await ports.pause();
    }
  }
  return examples;
}

const groupOf = ({ id, group }: ExecutionTrace): string => group ?? id;

function* groupsOf(traces: Iterable<ExecutionTrace>): Generator<string, void> {
  for (const trace of traces) yield groupOf(trace);
}

/** What the other executions alone tell, and the plans of those that can be asked again. */
async function split(
  traces: Iterable<ExecutionTrace>,
  isIn: (trace: ExecutionTrace) => boolean,
  { metrics, pause }: ReplayPorts,
): Promise<{ readonly knowledge: Knowledge; readonly telling: readonly PastPlan[] }> {
  const graph = new KnowledgeGraph();
  const pairs = new BindingMemory();
  const plans = new PlanMemory();
  const telling: PastPlan[] = [];
  for (const some of inParts(traces, TAKEN_AT_ONCE)) {
    const others = some.filter((trace) => !isIn(trace));
    graph.apply(graphOf(others));
    for (const trace of others) {
      pairs.add(trace);
      plans.add(trace);
    }
    for (const trace of some) {
      if (isIn(trace) && trace.ok && trace.intent !== '') telling.push(pastPlan(trace));
    }
    await pause();
  }
  return { knowledge: { graph, metrics: metrics(), pairs, plans }, telling };
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
  return spreadOver(places, MOST_STEPS).flatMap((place): ChoiceExample[] => {
    const candidates = nextSignals(steps.slice(0, place), evidence, serverTools);
    const example = weighed(candidates, ({ tool }) => tool === steps[place]);
    return example.isRight.includes(true) ? [example] : [];
  });
}

/** Half of them with values that went on, if there are so many: only those tell of links. */
function sample(plans: readonly PastPlan[], most: number): readonly PastPlan[] {
  const linked = spreadOver(
    plans.filter(({ flows }) => flows !== undefined),
    most / 2,
  );
  const isTaken = new Set(linked);
  const rest = plans.filter((plan) => !isTaken.has(plan));
  return [...linked, ...spreadOver(rest, most - linked.length)];
}
