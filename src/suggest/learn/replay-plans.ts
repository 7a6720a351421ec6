import { FeatureMemory, type HeadPrior, Hypergraph } from '../../attention/index.js';
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
import type { SessionMoment } from '../next/moment.js';
import { nextSignals } from '../next/next-signals.js';
import { pastMoments } from '../next/past-moments.js';
import { type PastPlan, pairKey, pastPlan, splitPair } from '../past/past-plan.js';
import { planEdge } from '../past/plan-edge.js';
import { PlanMemory } from '../past/plan-memory.js';
import { requestGroups } from './request-groups.js';

export interface ReplayPorts extends EvidencePorts, LinkOptions {
  readonly serverTools: (id: ToolId) => Iterable<ToolId>;
  /** What would have been said of a past request if it, its group and these others had never been. */
  readonly weighAgain: (id: string, without: readonly string[]) => Prospects | undefined;
  /** Where heads may learn to attend. Missing where they are switched off. */
  readonly headPrior?: () => HeadPrior | undefined;
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
  /** Requests of one session, or with the same words, share a group and count as one observation. */
  readonly group: string;
  readonly evidence: Evidence;
  /** Only with tools that still exist. */
  readonly plan: PastPlan;
  readonly members: Weighed<MemberCandidate>;
  /** Missing if the execution did not record where values went. */
  readonly links?: Weighed<LinkCandidate>;
  readonly next: readonly NextExample[];
}

/** A step of a past run: what was done before it, and the tools that might have come next. */
interface NextExample extends ChoiceExample {
  readonly done: readonly ToolId[];
  readonly tools: readonly ToolId[];
}

/** The number of folds. Each fold is judged by weights from the other folds. */
export const FOLDS = 3;
/**
 * The executions are split into parts, and each part is left out in turn. More parts leave out less
 * knowledge at a time. With many executions, even a few parts leave out little.
 */
const PARTS = { most: 36, least: 3, executions: 30_000 };
/** More examples take longer. Fewer cannot tell small gains from chance. */
const MOST_EXAMPLES = 600;
/** The most steps of a single run: a long run would otherwise outweigh all short runs. */
const MOST_STEPS = 20;
const TAKEN_AT_ONCE = 100;

/** Replays past requests. A request never sees what PML learned from its own group. */
export async function replayPlans(
  traces: Iterable<ExecutionTrace>,
  ports: ReplayPorts,
): Promise<readonly PlanExample[]> {
  const groupOf = await requestGroups(traces, ports.pause);
  const together = new Map<string, string[]>();
  const groups = Array.from(traces, (trace) => {
    const group = groupOf(trace);
    const ids = together.get(group);
    if (ids) ids.push(trace.id);
    else together.set(group, [trace.id]);
    return group;
  });
  const parts = partsFor(groups.length);
  const partOf = assignFolds(groups, parts);
  const most = Math.ceil(MOST_EXAMPLES / Math.max(1, Math.min(parts, partOf.size)));
  const whole = await hypergraphOf(traces, ports.pause);
  const examples: PlanExample[] = [];
  for (let part = 0; part < parts; part++) {
    const isIn = (trace: ExecutionTrace) => partOf.get(groupOf(trace)) === part;
    const { knowledge, telling } = await split(traces, isIn, whole, ports);
    for (const { trace, plan } of sample(telling, most)) {
      const group = groupOf(trace);
      const place = { fold: part % FOLDS, group, together: together.get(group) ?? [] };
      const example = await exampleOf(
        { plan, moments: pastMoments(trace) },
        place,
        knowledge,
        ports,
      );
      if (example) examples.push(example);
      await ports.pause();
    }
  }
  return examples;
}

/** A multiple of the number of folds, so that each part lies in one fold. */
function partsFor(executions: number): number {
  const fitting = Math.floor(PARTS.executions / Math.max(1, executions) / FOLDS) * FOLDS;
  return Math.min(PARTS.most, Math.max(PARTS.least, fitting));
}

/** The knowledge from the other executions, and the executions of this part that can be replayed. */
async function split(
  traces: Iterable<ExecutionTrace>,
  isIn: (trace: ExecutionTrace) => boolean,
  whole: Hypergraph,
  { metrics, pause }: ReplayPorts,
): Promise<{ readonly knowledge: Knowledge; readonly telling: readonly ExecutionTrace[] }> {
  const graph = new KnowledgeGraph();
  const pairs = new BindingMemory();
  const plans = new PlanMemory();
  const features = new FeatureMemory();
  const telling: ExecutionTrace[] = [];
  const gone: ExecutionTrace[] = [];
  for (const some of inParts(traces, TAKEN_AT_ONCE)) {
    const others = some.filter((trace) => !isIn(trace));
    graph.apply(graphOf(others));
    for (const trace of others) {
      pairs.add(trace);
      plans.add(trace);
      features.add(trace);
      await pause();
    }
    for (const trace of some) {
      if (!isIn(trace)) continue;
      gone.push(trace);
      if (trace.ok && trace.intent !== '') telling.push(trace);
    }
    await pause();
  }
  const runs = whole.without(gone.flatMap((trace) => planEdge(pastPlan(trace)) ?? []));
  return { knowledge: { graph, metrics: metrics(), pairs, plans, features, runs }, telling };
}

async function hypergraphOf(
  traces: Iterable<ExecutionTrace>,
  pause: () => Promise<void>,
): Promise<Hypergraph> {
  const whole = new Hypergraph();
  for (const some of inParts(traces, TAKEN_AT_ONCE)) {
    for (const trace of some) {
      const edge = planEdge(pastPlan(trace));
      if (edge) whole.add(edge);
    }
    await pause();
  }
  return whole;
}

interface Told {
  readonly plan: PastPlan;
  /** After each of its steps. */
  readonly moments: readonly SessionMoment[];
}

/** With many tools each part of it takes a while, so it pauses between them. */
interface Place extends Pick<PlanExample, 'fold' | 'group'> {
  /** The executions of the group. */
  readonly together: readonly string[];
}

async function exampleOf(
  told: Told,
  { together, ...place }: Place,
  knowledge: Knowledge,
  ports: ReplayPorts,
): Promise<PlanExample | undefined> {
  const { plan } = told;
  const prospects = ports.weighAgain(plan.id, together);
  const tools = plan.tools.filter((tool) => ports.toolOf(tool));
  if (!prospects || tools.length === 0) return undefined;
  await ports.pause();
  const evidence = evidenceOf(
    plan.intent,
    amongKnown(prospects, knowledge.plans),
    knowledge,
    ports,
  );
  const wanted = new Set(tools);
  const { flows: recorded, ...rest } = plan;
  const flows = flowsAmong(wanted, recorded);
  const isTelling = flows.size > 0 && tools.length <= MOST_MEMBERS;
  const members = weighed(memberSignals(evidence), ({ tool }) => wanted.has(tool));
  const next = await nextExamples(told, evidence, ports);
  return {
    ...place,
    evidence,
    plan: { ...rest, tools, ...(flows.size > 0 && { flows }) },
    members,
    ...(isTelling && {
      links: weighed(linkSignals(tools, evidence, ports).links, ({ from, to }) =>
        flows.has(pairKey(from, to)),
      ),
    }),
    next,
  };
}

/** Similar runs that are left out lose their share; the remaining runs get it. */
function amongKnown(prospects: Prospects, plans: PlanMemory): Prospects {
  const known = prospects.similar.filter(({ id }) => plans.get(id));
  const all = sumOf(prospects.similar);
  const left = sumOf(known);
  if (left === 0) return { ...prospects, similar: [] };
  return {
    ...prospects,
    similar: known.map(({ id, share }) => ({ id, share: (share * all) / left })),
  };
}

function sumOf(similar: Prospects['similar']): number {
  return similar.reduce((sum, { share }) => sum + share, 0);
}

/** Without flows of tools that no longer exist or that failed: no plan can contain them. */
function flowsAmong(
  tools: ReadonlySet<ToolId>,
  flows: PastPlan['flows'] = new Set<string>(),
): ReadonlySet<string> {
  return new Set([...flows].filter((key) => splitPair(key).every((tool) => tools.has(tool))));
}

/** Candidates with which of them were right. */
export function weighed<Candidate extends { readonly signals: Float64Array }>(
  candidates: readonly Candidate[],
  isRight: (candidate: Candidate) => boolean,
): Weighed<Candidate> {
  return {
    weighed: candidates,
    candidates: candidates.map(({ signals }) => signals),
    isRight: candidates.map(isRight),
  };
}

async function nextExamples(
  { plan: { steps }, moments }: Told,
  evidence: Evidence,
  { serverTools, pause }: ReplayPorts,
): Promise<readonly NextExample[]> {
  const places = steps.map((_, place) => place).slice(1);
  const examples: NextExample[] = [];
  for (const place of spreadOver(places, MOST_STEPS)) {
    await pause();
    const done = steps.slice(0, place);
    const candidates = nextSignals(done, evidence, { serverTools, moment: moments[place - 1] });
    const example = weighed(candidates, ({ tool }) => tool === steps[place]);
    const tools = candidates.map(({ tool }) => tool);
    if (example.isRight.includes(true)) examples.push({ ...example, done, tools });
  }
  return examples;
}

interface Sampled {
  readonly trace: ExecutionTrace;
  readonly plan: PastPlan;
}

/** Half of them with values that went on, if there are so many: only those show links. */
function sample(traces: readonly ExecutionTrace[], most: number): readonly Sampled[] {
  const plans = traces.map((trace) => ({ trace, plan: pastPlan(trace) }));
  const linked = spreadOver(
    plans.filter(({ plan }) => plan.flows !== undefined),
    most / 2,
  );
  const isTaken = new Set(linked);
  const rest = plans.filter((one) => !isTaken.has(one));
  return [...linked, ...spreadOver(rest, most - linked.length)];
}
