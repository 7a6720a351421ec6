import type { ToolParameter } from '../../schema/index.js';
import { nameWords, textWords, wordWeight } from '../../words/index.js';
import type { LiteralKind } from '../literals/literal.js';

/** What a parameter accepts, according to its name, format and description. */
export interface ParameterWants {
  readonly parameter: ToolParameter;
  readonly words: readonly string[];
  readonly described: ReadonlySet<string>;
  /** Kinds that are meant for it. */
  readonly own: ReadonlySet<LiteralKind>;
  /** Kinds that may go there when nothing better does. */
  readonly likely: ReadonlySet<LiteralKind>;
  /** It accepts the name of a person. */
  readonly isPerson: boolean;
  /** Users do not type it; it comes from another call, unless the request names it. */
  readonly isHandle: boolean;
  /** Words before or after a literal that lead to it. */
  readonly cues: ReadonlySet<string>;
  /** Shapes of the examples its description gives. */
  readonly shapes: ReadonlySet<string>;
}

const OF_FORMAT: Readonly<Record<string, LiteralKind>> = {
  date: 'date',
  'date-time': 'datetime',
  time: 'time',
  email: 'email',
  'idn-email': 'email',
  hostname: 'domain',
  uri: 'url',
  url: 'url',
  iri: 'url',
  uuid: 'id',
};

/** Words of names → the kinds of literals that are meant for such a parameter. */
const OF_WORDS: readonly (readonly [kinds: readonly LiteralKind[], words: string])[] = [
  [['url'], 'url website webpage webhook'],
  [['email'], 'mail recipient cc bcc attendee invitee'],
  [['path'], 'path file filename filepath folder'],
  [['date'], 'date day deadline due birthday checkin checkout'],
  [['datetime'], 'datetime timestamp'],
  [['time'], 'time hour'],
  [['timezone'], 'timezone'],
  [['repository'], 'repository'],
  [['channel'], 'channel'],
  [['handle'], 'handle mention assignee'],
  [['version'], 'version tag release'],
  [['domain'], 'domain host hostname'],
  [['code'], 'sql code command expression script regex pattern'],
  [['name'], 'city country location region town airport company artist writer brand team state'],
  [['name'], 'symbol ticker currency'],
  [
    ['number'],
    'amount price count limit quantity size width height radius latitude longitude percent rate age',
  ],
];

/** Things with a proper name that a request mentions. */
const NAMED = new Set('city country region town airport company artist brand team'.split(' '));

/** People with a name of two or more words that a request mentions. */
const PERSONS = new Set(
  nameWords('guest person contact passenger patient attendee colleague traveller visitor author'),
);
/** Only people have a full name. */
const FULL_NAME = /\bfull name\b/i;

/** Words of names that take whatever was put in quotes. */
const QUOTED = new Set(
  'query search keyword term text message body title subject name topic phrase caption summary description comment note prompt question word label heading'.split(
    ' ',
  ),
);

/** Where something comes from or goes to, whatever that is. */
const ENDS = new Set('source destination target input output from origin to'.split(' '));

const HANDLES = new Set('id ids token key hash sha cursor uuid etag handle'.split(' '));

/** Words beside a literal → words of the parameter they lead to. */
const LEADS: Readonly<Record<string, string>> = {
  to: 'to recipient destination target end mail receiver arrival dst new',
  from: 'from source origin start sender departure src begin since old',
  replace: 'old find search',
  change: 'old',
  rename: 'old source',
  with: 'new replacement',
  of: 'city country location region town place',
  in: 'location city country channel folder repository path place database language timezone',
  into: 'destination target path folder table database language output',
  at: 'time location address path url mail',
  on: 'date day',
  by: 'writer artist user',
  for: 'query keyword term search symbol city location customer user topic name ticker guest passenger',
  until: 'end to due before',
  till: 'end to due before',
  before: 'end to due before deadline',
  after: 'start since from after begin',
  since: 'start since from after begin',
  titled: 'title name subject heading',
  called: 'name title filename',
  named: 'name title filename',
  saying: 'message text body comment',
  says: 'message text body comment',
  say: 'message text body comment',
  send: 'message text body',
  post: 'message text body comment',
  reply: 'message text body comment',
  write: 'message text body',
  comment: 'comment text body message',
  message: 'message text body',
  search: 'query keyword term search',
  find: 'query keyword term search',
  create: 'title name',
  about: 'query topic subject keyword',
  subject: 'subject title',
  label: 'label',
  cc: 'cc',
  bcc: 'bcc',
};

const LED_BY = new Map<string, Set<string>>();
for (const [lead, words] of Object.entries(LEADS)) {
  for (const word of words.split(' ')) {
    const leads = LED_BY.get(word) ?? new Set();
    LED_BY.set(word, leads.add(lead));
  }
}

export function parameterWants(parameter: ToolParameter): ParameterWants {
  const words = nameWords(parameter.names.join('_'));
  const described = textWords(parameter.description);
  const own = new Set<LiteralKind>();
  const ofFormat = OF_FORMAT[parameter.format];
  if (ofFormat) own.add(ofFormat);
  // The last word of a name says what it is; `file_id` is no file.
  const main = mainWord(words);
  const isHandle = HANDLES.has(main) || (main === 'number' && words.length > 1);
  for (const [kinds, list] of ofFormat || isHandle ? [] : OF_WORDS) {
    if (list.split(' ').includes(main)) for (const kind of kinds) own.add(kind);
  }
  if (own.size === 0) for (const kind of describedKinds(parameter)) own.add(kind);
  // `name` with the description "Name of the city" is as good as `city`.
  const named = main === 'name' ? [...described, ...words].filter((word) => NAMED.has(word)) : [];
  if (named.length > 0) own.add('name');
  const about = main === 'name' ? [...described, ...words] : [main];
  const isNamedInFull = FULL_NAME.test(parameter.description);
  const isPerson =
    !isHandle && own.size === 0 && (isNamedInFull || about.some((word) => PERSONS.has(word)));
  if (isPerson) own.add('name');
  if (isPostal(words)) own.add('number').add('id');
  if (words.includes('to') && own.size === 0) own.add('email');
  if (isHandle) own.add('id');
  const types = parameter.types.includes('array') ? parameter.itemTypes : parameter.types;
  const isNumeric =
    types.length > 0 && types.every((type) => type === 'number' || type === 'integer');
  return {
    parameter,
    words,
    described,
    own: isNumeric ? new Set(isHandle ? (['number', 'id'] as const) : (['number'] as const)) : own,
    likely: likelyKinds(words, own, isNumeric),
    isPerson,
    isHandle,
    shapes: new Set(examplesIn(parameter.description).map(shapeOf)),
    cues: new Set([...words, ...named].flatMap((word) => [...(LED_BY.get(word) ?? [])])),
  };
}

const DESCRIBED: Readonly<Record<string, LiteralKind>> = {
  path: 'path',
  url: 'url',
  mail: 'email',
  timezone: 'timezone',
  sql: 'code',
  regex: 'code',
  glob: 'code',
};

/** Kinds that the description names, if the name of the parameter gives none. */
function describedKinds({ description }: ToolParameter): readonly LiteralKind[] {
  const words = textWords(description);
  return Object.entries(DESCRIBED).flatMap(([word, kind]) => (words.has(word) ? [kind] : []));
}

function likelyKinds(
  words: readonly string[],
  own: ReadonlySet<LiteralKind>,
  isNumeric: boolean,
): ReadonlySet<LiteralKind> {
  if (isNumeric) return new Set();
  const likely = new Set<LiteralKind>();
  if (own.size === 0)
    for (const kind of ['quoted', 'text', 'code', 'id', 'name'] as const) likely.add(kind);
  if (words.some((word) => QUOTED.has(word))) likely.add('quoted').add('name').add('text');
  // A path or a name with blanks or special characters must be quoted.
  for (const kind of ['quoted', 'text', 'code'] as const) likely.add(kind);
  if (words.some((word) => ENDS.has(word))) likely.add('path').add('url').add('name');
  if (own.has('path')) likely.add('repository');
  if (own.has('url')) likely.add('domain');
  if (own.has('handle')) likely.add('name').add('id');
  if (own.has('channel')) likely.add('id');
  if (own.has('repository')) likely.add('url').add('id');
  if (own.has('version')) likely.add('number');
  if (own.has('time')) likely.add('datetime');
  return likely;
}

/** Words of its name that say what it belongs to: `client` in `client_name`. */
export function ownersOf({ words }: ParameterWants): readonly string[] {
  return words.filter((word) => !QUOTED.has(word) && wordWeight(word) === 1);
}

/** Whether it takes quoted text as it is: a text, a title, a search term. */
export function takesText({ words }: ParameterWants): boolean {
  return QUOTED.has(mainWord(words)) || words.some((word) => QUOTED.has(word) && word !== 'name');
}

/** The word that says what a parameter holds: `date` in `start_date_utc`. */
function mainWord(words: readonly string[]): string {
  return words.at(-1) ?? '';
}

/** How well a word of the request names the parameter, from 0 to 1. */
export function namesParameter(word: string, { words }: ParameterWants): number {
  return words.includes(word) ? (wordWeight(word) + 1) / 2 : 0;
}

export function isPostal(words: readonly string[]): boolean {
  return words.some(
    (word) =>
      word === 'zip' || word === 'zipcode' || word.startsWith('postal') || word === 'postcode',
  );
}

const EXAMPLES =
  /(?:e\.g\.|such as|for example|example:|like|eg)[^'"`‘“]{0,20}['"`‘“]([^'"`’”]{1,60})['"`’”]/giu;

/** The example values in a description. */
function examplesIn(description: string): readonly string[] {
  return [...description.slice(0, 2_000).matchAll(EXAMPLES)].map(([, example = '']) => example);
}

/** The shape of a text without its content: `#W0123` and `#X9` are both `#A9`. */
export function shapeOf(text: string): string {
  return (
    text
      .replaceAll(/\p{Ll}+/gu, 'a')
      .replaceAll(/\p{Lu}+/gu, 'A')
      .replaceAll(/\d+/g, '9')
      // Codes mix letters and digits freely.
      .replaceAll(/(?:A9|9A)[A9]*/g, 'X')
  );
}
