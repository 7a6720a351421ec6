import type { Incidence } from '../../attention/index.js';
import { seededRandom, type ToolId } from '../../core/index.js';
import { pairKey, procedureOf } from '../past/past-plan.js';
import type { JudgedModel } from './models.js';
import type { PlanExample } from './replay-plans.js';

const SEED = 1;
/** So many draws are made for an answer of another group. */
const MOST_DRAWS = 30;

/**
 * The same examples with answers that say nothing, for each model. Weights that learned from them are a
 * control: what they gain is no merit of what was learned. Which tools are usual stays true, and the
 * shape of a plan: its tools change places in it.
 */
export const MISLED: Readonly<
  Record<JudgedModel, (examples: readonly PlanExample[]) => readonly PlanExample[]>
> = {
  members(examples) {
    return withOtherRuns(examples).map((one) => {
      const wanted = new Set(one.plan.tools);
      const isRight = one.members.weighed.map(({ tool }) => wanted.has(tool));
      return { ...one, members: { ...one.members, isRight } };
    });
  },
  links(examples) {
    const random = seededRandom(SEED);
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
  next(examples) {
    const random = seededRandom(SEED);
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
 * The same requests, each with the run of another group, drawn at random from the same part of the
 * replay: what is learned from it has nothing to do with requests, and is as far from their own runs as
 * what is judged. Its own procedure may be drawn: else the right answer would be taught as wrong. A part
 * with one procedure only says nothing about chance, so the run is drawn from all parts then.
 */
export function withOtherRuns(examples: readonly PlanExample[]): readonly PlanExample[] {
  const random = seededRandom(SEED);
  const parts = new Map<Incidence, PlanExample[]>();
  for (const one of examples) {
    const part = parts.get(one.evidence.runs);
    if (part) part.push(one);
    else parts.set(one.evidence.runs, [one]);
  }
  const drawnFrom = new Map(
    [...parts].map(([runs, part]) => [runs, hasSeveral(part) ? part : examples]),
  );
  return examples.map((one) => {
    const others = drawnFrom.get(one.evidence.runs)!;
    for (let draw = 0; draw < MOST_DRAWS; draw++) {
      const other = others[Math.floor(random() * others.length)]!;
      if (other.group !== one.group) return { ...one, plan: other.plan };
    }
    return one;
  });
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
