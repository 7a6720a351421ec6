import { ACCOUNT_HOLDERS, nameWords } from '../../words/index.js';
import {
  isPostal,
  namesParameter,
  ownersOf,
  type ParameterWants,
  shapeOf,
  takesText,
} from '../arguments/parameter-wants.js';
import type { Literal } from './literal.js';

/** How well a literal goes into a parameter, and why. */
export interface LiteralFit {
  readonly score: number;
  readonly because: string;
}

const KIND_WORDS: Readonly<Record<Literal['kind'], string>> = {
  channel: 'a channel',
  code: 'code',
  date: 'a date',
  datetime: 'a moment',
  domain: 'a domain',
  email: 'a mail address',
  handle: 'a person',
  id: 'an identifier',
  name: 'a name',
  number: 'a number',
  path: 'a path',
  quoted: 'a quoted text',
  repository: 'a repository',
  text: 'a value',
  time: 'a time',
  timezone: 'a time zone',
  url: 'an address',
  version: 'a version',
};

/** Kinds that are hardly ever taken for another. */
const TELLING: ReadonlySet<Literal['kind']> = new Set([
  'url',
  'email',
  'path',
  'timezone',
  'repository',
  'channel',
  'version',
  'domain',
  'datetime',
  'date',
  'time',
  'code',
]);

const HANDLE_WORDS = new Set('id ids uuid key number code token hash sha'.split(' '));
const SAID_OF_PERSON = new Set('are am m user customer named'.split(' '));
const CODED = new Set('symbol ticker currency code iata icao'.split(' '));
const CODE_NAME = /^[\p{Lu}\d]{1,6}$/u;
const POSTAL_CODE = /^(?:\d{4,6}|\d{5}-\d{4}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i;

const FULL_NAME = /^\p{Lu}\S+(?: \S+)+$/u;
const ARTICLES = new Set(['a', 'an']);
const SORTS = new Set(['id', 'code']);
const MOST_LIKELY = 0.97;
const UNSURE = 0.45;

const NEVER: LiteralFit = { score: 0, because: '' };

/** Words between which neighbours stop to belong to the literal. */
const BREAKS = new Set('and then or but'.split(' '));
/** How much a word at this distance still says. */
const NEAR = [1, 0.75, 0.45, 0.25];

/**
 * From 0 to 1, made of what the literal is, what stands beside it, and what the parameter is called.
 * Types, choices and patterns are not its business.
 */
export function literalFit(literal: Literal, wants: ParameterWants): LiteralFit {
  if (literal.label !== undefined) return labelledFit(literal, wants);
  if (!literal.isExact && wants.parameter.format !== '') return NEVER;
  if (isOtherSort(literal, wants)) return NEVER;
  // "A song by Queen" says who made it, and nothing else.
  if (literal.kind === 'name' && literal.before[0] === 'by' && !wants.cues.has('by')) return NEVER;
  const isOwn = isMeant(literal, wants);
  if (!isOwn && !wants.likely.has(takenFor(literal, wants))) return NEVER;
  if (wants.isHandle && wants.shapes.size > 0 && !wants.shapes.has(shapeOf(literal.text))) {
    return NEVER;
  }
  if (
    wants.isHandle &&
    isOfPerson(literal) &&
    !wants.words.some((word) => ACCOUNT_HOLDERS.has(word))
  ) {
    return NEVER;
  }
  const isCode = wantsCode(wants) || (wants.words.length === 1 && wants.words[0] === 'to');
  if (literal.kind === 'name' && isCode && !CODE_NAME.test(literal.text)) return NEVER;
  if (isPostal(wants.words) && !POSTAL_CODE.test(literal.text)) return NEVER;
  const named = wants.isHandle ? handleCue(literal, wants) : nameCue(literal, wants);
  const led = leadCue(literal, wants);
  const base = baseOf(literal, wants, isOwn);
  const sum = base + 0.45 * named + 0.2 * led;
  // The agent has to work out a relative date.
  const score = Math.max(0, Math.min(literal.isExact ? MOST_LIKELY : UNSURE, sum));
  const reasons = [
    `the request has ${KIND_WORDS[literal.kind]}, \`${literal.text.slice(0, 80)}\``,
    ...(named > 0.4 ? [`beside a word of \`${wants.parameter.path}\``] : []),
    ...(led > 0
      ? [`behind "${[...wants.cues].find((cue) => cuesOf(literal).includes(cue))}"`]
      : []),
  ];
  return { score, because: reasons.join(' ') };
}

/** Whether the parameter takes this kind of literal. */
export function isMeant({ kind, looks }: Literal, { own }: ParameterWants): boolean {
  return own.has(kind) || (looks !== undefined && own.has(looks));
}

/** A path in quotes is taken for a path where there may be one. */
function takenFor({ kind, looks = kind }: Literal, { own, likely }: ParameterWants) {
  if (own.has(kind) || own.has(looks)) return own.has(kind) ? kind : looks;
  return likely.has(looks) ? looks : kind;
}

function baseOf(literal: Literal, wants: ParameterWants, isOwn: boolean): number {
  const kind = takenFor(literal, wants);
  if (wants.isHandle) {
    // An id like the example may be one of those, whatever stands beside it.
    return (kind === 'id' ? 0.25 : 0.1) + (wants.shapes.size > 0 ? 0.2 : 0);
  }
  if (isPostal(wants.words)) return 0.6;
  if (isOwn) {
    if (!literal.isExact) return 0.3;
    if (kind === 'number') return 0.15;
    // "Gina Rossi" is a person; "Porto" alone is more likely a place.
    if (wants.isPerson) return FULL_NAME.test(literal.text) ? 0.55 : 0.2;
    if (kind === 'name') return 0.4;
    return TELLING.has(kind) ? 0.55 : 0.45;
  }
  if (kind === 'quoted' && takesText(wants)) return isOfAnother(literal, wants) ? 0.28 : 0.45;
  if (kind === 'code' && takesText(wants)) return 0.4;
  if (takesText(wants)) return 0.25;
  if (TELLING.has(kind)) return 0.35;
  return kind === 'name' ? 0 : 0.15;
}

/** `limit=10`: the request names exactly this parameter. */
function labelledFit(literal: Literal, wants: ParameterWants): LiteralFit {
  const label = nameWords(literal.label ?? '').join(' ');
  const name = wants.words.join(' ');
  if (label !== name && !name.endsWith(` ${label}`)) return NEVER;
  const score = label === name ? 0.97 : 0.75;
  return {
    score,
    because: `the request says \`${literal.label}\` is \`${literal.text.slice(0, 80)}\``,
  };
}

/** How clearly a word beside the literal names the parameter. */
function nameCue(literal: Literal, wants: ParameterWants): number {
  // "A Chinese restaurant" is none with that name.
  const isAdjective = literal.kind === 'name' && ARTICLES.has(literal.before[0] ?? '');
  const sides = [literal.before, isAdjective ? [] : literal.after].map((words) => {
    const end = words.findIndex((word) => BREAKS.has(word));
    return end < 0 ? words : words.slice(0, end);
  });
  const unit = literal.unit === undefined ? [] : nameWords(literal.unit);
  // "5 days" for `days` leaves nothing open; "5 days" for `forecast_days` little.
  const isUnit = unit.length > 0 && unit.join(' ') === wants.words.join(' ');
  const inUnit = isUnit ? 1.5 : Math.max(0, ...unit.map((word) => namesParameter(word, wants)));
  const near = sides.flatMap((words, side) =>
    words.map((word, place) => {
      // A word behind it is rather about what comes next: "the users table in …".
      const closeness = side === 0 || place === 0 ? (NEAR[place] ?? 0) : 0;
      const own = namesParameter(word, wants);
      const described = own > 0 || !wants.described.has(word) ? 0 : 0.3;
      return closeness * Math.max(own, described);
    }),
  );
  return Math.max(inUnit, ...near, 0);
}

/** An id belongs to what is named right before it: "order W17", "user with the id 5". */
function handleCue({ before, after }: Literal, wants: ParameterWants): number {
  const whose = wants.words.filter((word) => !HANDLE_WORDS.has(word));
  if (whose.some((word) => ACCOUNT_HOLDERS.has(word)) && isSaidOfPerson(before)) return 1;
  const near = [...before.slice(0, 3), ...after.slice(0, 1)];
  if (whose.length === 0) return near.some((word) => HANDLE_WORDS.has(word)) ? 1 : 0;
  return near.some((word) => whose.includes(word)) ? 1 : 0;
}

/** The name of a client is said beside a word for clients; other names are those of others. */
function isOfAnother({ before, after }: Literal, wants: ParameterWants): boolean {
  const owners = ownersOf(wants);
  return owners.length > 0 && !owners.some((word) => before.includes(word) || after.includes(word));
}

/** "The code SR17" is no name, whatever it is the code of; "zip code 19122" is a zip. */
function isOtherSort({ before: [first = '', second = ''] }: Literal, { words }: ParameterWants) {
  return SORTS.has(first) && !words.includes(first) && !words.includes(second);
}

function isOfPerson({ before }: Literal): boolean {
  return isSaidOfPerson(before);
}

/** A short code stands for what it is called; its name is not it. */
function wantsCode({ words, described }: ParameterWants): boolean {
  return (
    words.some((word) => CODED.has(word)) || (!words.includes('name') && described.has('code'))
  );
}

/** "You are ann_17", "I'm Ann", "my name is Ann". */
export function isSaidOfPerson([first = '', second = '']: readonly string[]): boolean {
  if (first === 'is') return second === 'name' || second === 'user' || second === 'id';
  return SAID_OF_PERSON.has(first);
}

function leadCue(literal: Literal, { cues }: ParameterWants): number {
  return cuesOf(literal).some((word) => cues.has(word)) ? 1 : 0;
}

/** Words that lead to a literal stand right before it; an article may be between. */
function cuesOf({ before }: Literal): readonly string[] {
  const [first = '', second = ''] = before;
  return ['the', 'a', 'an', 'my', 'our'].includes(first) ? [second] : [first];
}
