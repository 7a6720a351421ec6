import { unweighed } from '../../src/suggest/members/whole-capabilities.js';
import type { PlanOutline } from '../../src/suggest/plan-outline.js';
import { id } from './graph-samples.js';

/** A plan of members with their chances, in this order, and of links `from > to`. */
export function shapeOf(
  members: Readonly<Record<string, number>>,
  links: readonly string[] = [],
): PlanOutline {
  return {
    members: Object.entries(members).map(([tool, chance]) => unweighed(id(tool), chance)),
    links: links.map((text) => {
      const [from = '', to = ''] = text.split(' > ');
      return { from: id(from), to: id(to), probability: 0.5 };
    }),
    broken: [],
    others: [],
    expected: 1,
  };
}
