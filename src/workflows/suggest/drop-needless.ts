/**
 * PML chooses members so that most of them are wanted. That finds more of the wanted tools, but the
 * plan may hold steps that are more likely unwanted than wanted. Here the arguments are known, and
 * they show which steps no other step of the plan needs.
 */
import type { Task, ToolId } from '../../core/index.js';
import { type Literal, placedLiterals, unplacedValues } from '../../planner/index.js';
import type { CompletedSuggestion } from './complete-suggestion.js';
import { lacksNoMore, type NamedValueOptions, takesFrom, without } from './place-values.js';

type Known = Pick<NamedValueOptions, 'intent' | 'fill'>;

/** Odds of 1: as likely wanted as not. */
const AS_LIKELY_AS_NOT = 1;
/** Factor for the odds of steps if other steps take all their values. */
const SHARED_VALUE = 1 / 4;
/** The same if one of the values is a text: a text said once is meant for one step. */
const SHARED_TEXT = 1 / 10;
/** Parts of a request that are further apart ask for different things. */
const SAME_NEED = 0.15;
const TEXTS: ReadonlySet<Literal['kind']> = new Set(['quoted', 'text', 'code']);

/**
 * The plan without steps that are more likely unwanted than wanted and that no step needs:
 * - an unlikely step whose result no other step takes, and which takes no value that is its own;
 * - steps that take only values that likelier steps take: in "mail Ann: …", Ann is the recipient,
 *   and the request does not ask for her mails.
 * The rest must take as many values of the request as before, and have no more holes.
 */
export function dropNeedless(completed: CompletedSuggestion, known: Known): CompletedSuggestion {
  const { suggestion, filled } = completed;
  const before = unplacedValues(known.intent, filled.plan.tasks).length;
  for (const gone of needless(completed, known.intent)) {
    const smaller = without(suggestion, gone);
    if (smaller.members.length === 0) continue;
    const next = { suggestion: smaller, filled: known.fill(smaller) };
    const left = unplacedValues(known.intent, next.filled.plan.tasks).length;
    if (left <= before && lacksNoMore(next.filled, filled)) return dropNeedless(next, known);
  }
  return completed;
}

/** Sets of tools that could be dropped, the least likely first. */
function needless(
  { suggestion, filled }: CompletedSuggestion,
  intent: string,
): readonly ReadonlySet<ToolId>[] {
  const { tasks } = filled.plan;
  const chances = new Map(suggestion.members.map((one) => [one.tool, one.probability]));
  const places = new Map(suggestion.evidence.likely.map(({ tool, place }) => [tool, place]));
  const valuesOf = (some: readonly Task[]) => placedLiterals(intent, some);
  const groups = connected(tasks).map((own) => {
    const [likeliest] = own.toSorted((a, b) => chanceOf(b) - chanceOf(a));
    return { own, values: valuesOf(own), chance: chanceOf(likeliest!), place: placeOf(likeliest!) };
  });
  const unlikely = tasks.flatMap((task) => {
    const isTaken = tasks.some((other) => takesFrom(other, task.id));
    const others = valuesOf(tasks.filter((other) => other !== task));
    const hasOwn = valuesOf([task]).some((one) => !isAmong(one, others));
    const odds = oddsOf(chanceOf(task));
    return isTaken || hasOwn || odds >= AS_LIKELY_AS_NOT ? [] : [{ own: [task], odds }];
  });
  const doubled = groups.flatMap((group) => {
    const factor = Math.min(1, ...groups.map((other) => sharedWith(group, other)));
    const odds = oddsOf(group.chance) * factor;
    return factor === 1 || odds >= AS_LIKELY_AS_NOT ? [] : [{ own: group.own, odds }];
  });
  return [...unlikely, ...doubled]
    .toSorted((a, b) => a.odds - b.odds)
    .map(({ own }) => new Set(own.map(({ tool }) => tool)));

  function chanceOf({ tool }: Task): number {
    return chances.get(tool) ?? 1;
  }

  function placeOf({ tool }: Task): number | undefined {
    return places.get(tool);
  }
}

interface Group {
  readonly own: readonly Task[];
  readonly values: readonly Literal[];
  /** The probability of its likeliest step. */
  readonly chance: number;
  readonly place: number | undefined;
}

/** Factor for the odds of a group beside another one; 1 if the other is no evidence against it. */
function sharedWith(group: Group, other: Group): number {
  const { values } = group;
  if (other === group || values.length === 0 || isElsewhere(group, other)) return 1;
  // A value that the request says twice is meant for two steps.
  if (new Set(values.map(({ text }) => text)).size < values.length) return 1;
  if (!values.every((one) => isAmong(one, other.values))) return 1;
  const isLess = values.length < other.values.length || group.chance < other.chance;
  if (!isLess) return 1;
  return values.some(({ kind }) => TEXTS.has(kind)) ? SHARED_TEXT : SHARED_VALUE;
}

function isElsewhere({ place: one }: Group, { place: other }: Group): boolean {
  return one !== undefined && other !== undefined && Math.abs(one - other) >= SAME_NEED;
}

function isAmong({ start }: Literal, literals: readonly Literal[]): boolean {
  return literals.some((one) => one.start === start);
}

const oddsOf = (chance: number): number => chance / Math.max(1e-9, 1 - chance);

/** The tasks in groups that exchange no values with each other. */
function connected(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const groups: Task[][] = [];
  for (const task of tasks) {
    const isLinked = (other: Task) => takesFrom(task, other.id) || takesFrom(other, task.id);
    const linked = groups.filter((group) => group.some(isLinked));
    for (const group of linked) groups.splice(groups.indexOf(group), 1);
    groups.push([...linked.flat(), task]);
  }
  return groups;
}
