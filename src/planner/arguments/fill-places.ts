import { parseToolId, type Task, type TaskId } from '../../core/index.js';
import { nameWords } from '../../words/index.js';
import type { Literal } from '../literals/literal.js';

/** Where a request asks for what. */
export interface Places {
  /** How many parts lie between a task and where the literal stands; nothing where that tells nothing. */
  distance(task: TaskId, literal: Pick<Literal, 'start'>): number | undefined;
  /** Words of the part that asks for a task. */
  wordsAt(task: TaskId): readonly string[];
  /** Words of the part a literal stands in that lead to it, nearest first; other literals are none. */
  leadingTo(literal: Pick<Literal, 'start'>): readonly string[];
}

export interface PlaceOptions {
  readonly intent: string;
  readonly literals: readonly Literal[];
  /** Where the request is known to ask for a task: 0 at its beginning, 1 at its end. */
  readonly places?: ReadonlyMap<TaskId, number> | undefined;
}

/** Words for the same kind of work. */
const SAME_WORK = [
  'read open show view display print load see look inspect take tell check',
  'write save store put output export dump record note copy download go',
  'list show enumerate which',
  'search find look locate grep seek check',
  'fetch download get retrieve scrape pull visit browse crawl page site web',
  'query run execute select sql show',
  'send mail message notify tell forward',
  'delete remove drop erase clear',
  'move rename shift relocate',
  'copy duplicate clone',
  'edit update change replace modify fix correct patch',
  'create make add new open',
  'insert add append write',
  'diff compare change difference',
  'checkout switch check',
  'info size big large stat detail',
  'describe schema column explain',
].map((words) => new Set(nameWords(words)));

const BREAK = /[.;:!?,](?=\s)|\n|\b(?:and|then|but|while|afterwards|finally)\b/giu;
const SAME = 1;
const ALIKE = 0.7;
/** Of two parts that ask for it alike, the one in its turn. */
const IN_TURN = 0.2;
/** A task the request says nothing of may be meant anywhere. */
const SOMEWHERE = 1;

interface Part {
  readonly start: number;
  readonly words: readonly string[];
}

/** Puts every task to the part of the request that asks for it. */
export function placeTasks(tasks: readonly Task[], options: PlaceOptions): Places {
  const plain = withoutLiterals(options);
  const parts = partsOf(plain);
  const partAt = (start: number) => parts.findLastIndex((part) => part.start <= start);
  const toolWords = tasks.map(({ tool }) => [...new Set(nameWords(parseToolId(tool).tool))]);
  const counts = new Map<string, number>();
  for (const word of toolWords.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const placed = new Map<TaskId, number>();
  tasks.forEach(({ id }, turn) => {
    const known = options.places?.get(id);
    const expected = known ?? (turn + 0.5) / tasks.length;
    const scored = parts.map(({ words }, at) => {
      const said = toolWords[turn]!.reduce((sum, word) => {
        return sum + (weightOf(word) * likeness(word, words)) / counts.get(word)!;
      }, 0);
      const order = 1 - Math.abs(expected - (at + 0.5) / parts.length);
      return { at, said, score: said + IN_TURN * order };
    });
    const [best] = scored.toSorted((a, b) => b.score - a.score);
    if (best && best.said > 0) placed.set(id, best.at);
  });
  const homes = new Set(placed.values());
  return {
    distance(task, { start }) {
      const at = partAt(start);
      // What follows without a word of its own belongs to what was asked for last.
      const home = [...homes].filter((one) => one <= at).toSorted((a, b) => b - a)[0];
      if (home === undefined) return undefined;
      const own = placed.get(task);
      return own === undefined ? SOMEWHERE : Math.abs(home - own);
    },
    wordsAt: (task) => parts[placed.get(task) ?? -1]?.words ?? [],
    leadingTo({ start }) {
      return nameWords(plain.slice(parts[partAt(start)]?.start ?? 0, start)).toReversed();
    },
  };
}

/** What is done says more than what it is done to: all steps may be about files. */
function weightOf(word: string): number {
  return SAME_WORK.some((kind) => kind.has(word)) ? 1 : 0.5;
}

function likeness(word: string, words: readonly string[]): number {
  if (words.includes(word)) return SAME;
  const kinds = SAME_WORK.filter((kind) => kind.has(word));
  return words.some((other) => kinds.some((kind) => kind.has(other))) ? ALIKE : 0;
}

/** Literals are no words, and nothing ends inside of one. */
function withoutLiterals({ intent, literals }: PlaceOptions): string {
  let plain = '';
  for (const { start, end } of literals) {
    plain += intent.slice(plain.length, start) + '\u0000'.repeat(Math.max(0, end - start));
  }
  return plain + intent.slice(plain.length);
}

function partsOf(plain: string): readonly Part[] {
  const ends = Array.from(plain.matchAll(BREAK), ({ index, 0: mark }) => index + mark.length);
  const starts = [0, ...ends];
  return starts.map((start, at) => ({
    start,
    words: nameWords(plain.slice(start, starts[at + 1] ?? plain.length)),
  }));
}
