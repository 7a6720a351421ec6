/** Programs: ways in which an argument of the next call can come from what the session has seen. */
import type { ToolId } from '../../core/index.js';
import type { Scalar } from './columns/column.js';
import type { Leaf } from './leaves.js';
import { nextNumbers, numberedText } from './next-number.js';
import { SOURCE_CLASSES, type CopySource } from './sources.js';
import type { UsualValue } from './usual-values.js';

/** Which value of a column is taken. */
const PICKS = ['only', 'first', 'last', 'unused', 'after', 'replaced'] as const;
export const PICK_COUNT = PICKS.length;

/** Besides the columns: earlier calls of the same tool, counting on, and what memory holds. */
const CLASSES = [...SOURCE_CLASSES, 'own', 'count', 'usual'] as const;
type ProgramClass = (typeof CLASSES)[number];
const CLASS_PLACE = Object.fromEntries(CLASSES.map((name, place) => [name, place])) as Readonly<
  Record<ProgramClass, number>
>;

/** Whether the program would have given the argument of the last call of the same tool. */
const STATES = ['no call yet', 'not there then', 'right', 'wrong'] as const;
export const STATE_COUNT = STATES.length;

const NAME_FITS = 3;
export const KIND_COUNT = CLASSES.length * PICK_COUNT * NAME_FITS * 2;

const MORE_CLASSES = CLASSES.length - SOURCE_CLASSES.length;
export const PICK_KIND_COUNT = (MORE_CLASSES + 1) * PICK_COUNT;

/** The same number for all columns of whatever class; earlier calls, counting and memory apart. */
export function pickKindOf({ kind, pick }: Pick<Vote, 'kind' | 'pick'>): number {
  const program = Math.floor(kind / (PICK_COUNT * NAME_FITS * 2));
  return Math.max(0, program - SOURCE_CLASSES.length + 1) * PICK_COUNT + pick;
}

/** What a program would put into the argument. */
export interface Vote {
  /** Stable over sessions, together with `pick`. */
  readonly key: string;
  readonly pick: number;
  /** The same number for programs of the same kind, whatever tool they copy from. */
  readonly kind: number;
  readonly value: Leaf;
}

/** The argument that is looked for. */
export interface Target {
  readonly name: string;
  /** Undefined when nothing is known about it. */
  readonly type: 'string' | 'number' | 'boolean' | 'other' | undefined;
  /** What earlier calls of the tool in this session had there, oldest first. */
  readonly own: readonly Leaf[];
  /** All numbers of the last call of the tool. */
  readonly ownNumbers: readonly number[];
  /** The tool of the last call of the session. */
  readonly lastTool: ToolId | undefined;
  /** The most usual values in memory, most usual first. */
  readonly usual: readonly UsualValue[];
}

const MOST_SCANNED = 60;
const SHORTEST_REPLACED = 3;
const LONGEST_SCANNED = 1_500;

export interface VoteOptions {
  readonly without?: ReadonlySet<string>;
}

export function votesFor(
  target: Target,
  sources: readonly CopySource[],
  { without }: VoteOptions = {},
): readonly Vote[] {
  const votes: Vote[] = [];
  if (!without?.has('own')) ownVotes(target, votes);
  if (!without?.has('count')) countVotes(target, votes);
  if (!without?.has('usual')) {
    target.usual.forEach(({ value, requests }, pick) => {
      const fit = Math.min(requests, NAME_FITS) - 1;
      votes.push({ key: 'usual', pick, kind: kindOf(CLASS_PLACE.usual, pick, fit, false), value });
    });
  }
  if (target.type === 'boolean' || target.type === 'other') return votes;
  const used = new Set(target.own);
  for (const source of sources) sourceVotes(source, target, used, votes);
  return votes;
}

const [ONLY, FIRST, LAST, UNUSED, AFTER, REPLACED] = [0, 1, 2, 3, 4, 5];

function sourceVotes(
  source: CopySource,
  target: Target,
  used: ReadonlySet<Leaf>,
  votes: Vote[],
): void {
  const { values } = source;
  const own = target.own.at(-1);
  if (values.length === 1) {
    addVote(source, target, ONLY, values[0], votes);
    return;
  }
  addVote(source, target, FIRST, values[0], votes);
  addVote(source, target, LAST, values.at(-1), votes);
  if (own === undefined) return;
  const unused = values.find((value) => !used.has(coerced(value, target.type) ?? value));
  addVote(source, target, UNUSED, unused, votes);
  const at = placeOf(own, values);
  if (at >= 0) addVote(source, target, AFTER, values[at + 1], votes);
  else if (typeof own === 'string') {
    addVote(source, target, REPLACED, replaced(own, values), votes);
  }
}

function placeOf(own: Leaf, values: readonly Scalar[]): number {
  if (typeof own !== 'string' && typeof own !== 'number') return -1;
  const other = typeof own === 'string' ? Number(own) : String(own);
  return values.findLastIndex((value) => value === own || value === other);
}

function addVote(
  source: CopySource,
  target: Target,
  pick: number,
  value: Scalar | undefined,
  votes: Vote[],
): void {
  const copied = value === undefined ? undefined : coerced(value, target.type);
  if (copied === undefined) return;
  const fit = nameFit(source.name, target.name);
  const isLatest = source.tool !== undefined && source.tool === target.lastTool;
  const kind = kindOf(CLASS_PLACE[source.source], pick, fit, isLatest);
  votes.push({ key: source.key, pick, kind, value: copied });
}

/** The text of the last call with the item of a list that stands in it replaced by the next one. */
function replaced(own: string, values: readonly Scalar[]): string | undefined {
  if (own.length > LONGEST_SCANNED) return undefined;
  const most = Math.min(values.length - 1, MOST_SCANNED);
  for (let at = most - 1; at >= 0; at--) {
    const item = values[at]!;
    if (typeof item !== 'string' || item.length < SHORTEST_REPLACED) continue;
    if (own.includes(item)) return own.replaceAll(item, String(values[at + 1]));
  }
  return undefined;
}

function ownVotes({ own }: Target, votes: Vote[]): void {
  const places = [own.at(-1), own.at(-2), own.length > 2 ? own[0] : undefined];
  places.forEach((value, pick) => {
    if (value === undefined) return;
    votes.push({ key: 'own', pick, kind: kindOf(CLASS_PLACE.own, pick, 0, false), value });
  });
}

function countVotes({ own, ownNumbers }: Target, votes: Vote[]): void {
  const [last, before] = [own.at(-1), own.at(-2)];
  const values =
    typeof last === 'number'
      ? nextNumbers(last, typeof before === 'number' ? before : undefined, ownNumbers)
      : typeof last === 'string'
        ? [numberedText(last, typeof before === 'string' ? before : undefined)]
        : [];
  values.forEach((value, pick) => {
    if (value === undefined) return;
    votes.push({ key: 'count', pick, kind: kindOf(CLASS_PLACE.count, pick, 0, false), value });
  });
}

function kindOf(program: number, pick: number, fit: number, isLatest: boolean): number {
  const place = program * PICK_COUNT + pick;
  return (place * NAME_FITS + fit) * 2 + (isLatest ? 1 : 0);
}

/** 2 for the same name, 1 where one ends with the other: `id` and `course_id`. */
function nameFit(one: string, other: string): number {
  if (one === other) return 2;
  if (one.length < 2 || other.length < 2) return 0;
  return one.endsWith(other) || other.endsWith(one) ? 1 : 0;
}

/** Many tools take as text what others give as a number. */
function coerced(value: Scalar, type: Target['type']): Scalar | undefined {
  if (type === undefined || typeof value === type) return value;
  if (type === 'string') return String(value);
  if (type !== 'number' || typeof value !== 'string') return undefined;
  return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value) ? Number(value) : undefined;
}

export function isSameLeaf(one: Leaf, other: Leaf): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
