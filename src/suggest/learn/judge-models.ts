import { f1, weigh } from '../../learning/index.js';
import { choosePlanLinks } from '../links/choose-links.js';
import { chooseMembers } from '../members/choose-members.js';
import { pairKey } from '../past/past-plan.js';
import type { Models } from './models.js';
import type { PlanExample } from './replay-plans.js';

/** The models whose answers are compared with what was done. */
export type JudgedModel = 'members' | 'links' | 'next';

/** How well each of them answers an example, from 0 to 1; nothing where the example does not tell. */
export const QUALITY: Readonly<
  Record<JudgedModel, (example: PlanExample, models: Models) => readonly number[]>
> = {
  /** F1 of the members of the plan. */
  members({ members, plan }, models) {
    const chosen = chooseMembers(members.weighed, models.members).members;
    return [
      f1(
        new Set(plan.tools),
        chosen.map(({ tool }) => tool),
      ),
    ];
  },
  /** F1 of the links between the right members. */
  links({ links: example, plan }, models) {
    if (!example || !plan.flows) return [];
    const { links, broken } = choosePlanLinks(example.weighed, models.links);
    return [
      f1(
        plan.flows,
        [...links, ...broken].map(({ from, to }) => pairKey(from, to)),
      ),
    ];
  },
  /** The reciprocal place of what came next, for each step. */
  next({ next }, models) {
    return next.map(({ candidates, isRight }) => {
      const scores = candidates.map((signals) => weigh(signals, models.next));
      const own = scores[isRight.indexOf(true)]!;
      return 1 / (1 + scores.filter((score) => score > own).length);
    });
  },
};
