import type { Incidence } from '../../attention/index.js';
import { seededRandom, type ToolId } from '../../core/index.js';
import { pairKey, procedureOf } from '../past/past-plan.js';
import type { JudgedModel } from './models.js';
import type { PlanExample } from './replay-plans.js';

/** So many draws are made for an answer of another group. */
const MOST_DRAWS = 30;

/**
 * The same examples with answers that say nothing, for each model; each draw gives other answers. Weights
 * that learned from them are a control: what they gain is no merit of what was learned. Which tools are
 * usual stays true, and the shape of a plan: its tools change places in it.
 */
export const MISLED: Readonly<
  Record<JudgedModel, (examples: readonly PlanExample[], draw: number) => readonly PlanExample[]>
> = {
  members(examples, draw) {
    return withOtherRuns(examples, draw).map((one) => {
      const wanted = new Set(one.plan.tools);
      const isRight = one.members.weighed.map(({ tool }) => wanted.has(tool));
      return { ...one, members: { ...one.members, isRight } };
    });
  },
  links(examples, draw) {
    const random = seededRandom(draw);
    return examples.map((one) => {
      const { links } = one;
      if (!links) return one;
      const linked = new Set(
        links.weighed.flatMap(({ from, to }, at) => (links.isRight[at] ? [pairKey(from, to)] : [])),
      );
      const tools = [...new Set(links.weighed.flatMap(({ from, to }) => [from, to]))];
      const drawn = shuffled(tools, random);
      const otherOf = new Map(tools.map((tool, at) => [tool, drawn[at]!]));
      const isRight = links.weighed.map(({ from, to }) =>
        linked.has(pairKey(otherOf.get(from)!, otherOf.get(to)!)),
      );
      return { ...one, links: { ...links, isRight } };
    });
  },
  next(examples, draw) {
    const random = seededRandom(draw);
    const moments = examples.flatMap(({ group, next }) =>
      next.map((step) => ({ group, tool: rightOf(step) })),
    );
    return examples.map((one) => {
      const next = one.next.map((step) => {
        const other = otherRight(step, one.group, { moments, random });
        return { ...step, isRight: step.tools.map((tool) => tool === other) };
      });
      return { ...one, next };
    });
  },
};

type Step = PlanExample['next'][number];

const rightOf = ({ tools, isRight }: Step) => tools[isRight.indexOf(true)];

interface Moments {
  readonly moments: readonly { readonly group: string; readonly tool: ToolId | undefined }[];
  readonly random: () => number;
}

/** What came next at a moment of another group, and might have come here; undefined if none is found. */
function otherRight(
  { tools }: Step,
  group: string,
  { moments, random }: Moments,
): ToolId | undefined {
  const candidates = new Set(tools);
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const other = moments[Math.floor(random() * moments.length)]!;
    if (other.group !== group && other.tool && candidates.has(other.tool)) return other.tool;
  }
  return undefined;
}

/**
 * The same requests, each with the run of another group, from the same part of the replay: what is learned
 * from it has nothing to do with requests, and is as far from their own runs as what is judged. Runs change
 * places, so the control knows exactly as well as the candidate which tools are usual. A request may get its
 * own procedure: else the right answer would be taught as wrong. A part with one procedure only says nothing
 * about chance, so runs of all such parts change places.
 */
export function withOtherRuns(
  examples: readonly PlanExample[],
  draw: number,
): readonly PlanExample[] {
  const random = seededRandom(draw);
  const parts = new Map<Incidence, PlanExample[]>();
  for (const one of examples) {
    const part = parts.get(one.evidence.runs);
    if (part) part.push(one);
    else parts.set(one.evidence.runs, [one]);
  }
  const uniform = [...parts.values()].filter((part) => !hasSeveral(part)).flat();
  const exchanged = new Map<PlanExample, PlanExample>();
  for (const part of [...[...parts.values()].filter(hasSeveral), uniform]) {
    const order = apart(part, [...shuffled(part, random)], random);
    part.forEach((one, at) => exchanged.set(one, order[at]!));
  }
  return examples.map((one) => ({ ...one, plan: exchanged.get(one)!.plan }));
}

/** The order, changed until no place has an example of the same group, as far as that is possible. */
function apart(
  part: readonly PlanExample[],
  order: PlanExample[],
  random: () => number,
): readonly PlanExample[] {
  const isClash = (at: number, other: PlanExample) => part[at]!.group === other.group;
  for (let at = 0; at < order.length; at++) {
    for (let times = 0; times < MOST_DRAWS && isClash(at, order[at]!); times++) {
      const other = Math.floor(random() * order.length);
      if (isClash(other, order[at]!) || isClash(at, order[other]!)) continue;
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
  }
  return order;
}

function hasSeveral(examples: readonly PlanExample[]): boolean {
  const first = procedureOf(examples[0]!.plan);
  return examples.some(({ plan }) => procedureOf(plan) !== first);
}

function shuffled<One>(all: readonly One[], random: () => number): readonly One[] {
  const order = [...all];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
