/**
 * Words for the same thing. Two readers use them: search takes related words for one another, and the
 * planner compares names by one spelling for each thing. Short on purpose: they bridge the vocabulary
 * of tool names (verbs, common nouns, abbreviations), not of the world.
 */
import { singular, stem } from './stem.js';

/** For both, by the spelling that names are compared by. */
const SAME_THING: Readonly<Record<string, string>> = {
  folder: 'directory folder dir',
  image: 'image picture photo img',
  mail: 'email mail',
  message: 'message msg',
  repository: 'repository repo',
};

/** For search alone: near enough to be found, too far apart to be one name. */
const RELATED = [
  'delete remove erase drop',
  'create make add new insert',
  'get fetch retrieve read obtain load',
  'list show enumerate browse',
  'search find lookup look',
  'update edit modify change patch',
  'send post publish',
  'run execute invoke launch',
  'write save store',
  'rename move',
  'memory remember memorize recall forget know',
  'database db sqlite postgres mysql sql',
  'documentation docs doc document',
  'website webpage web page url site internet',
  'screenshot capture snapshot',
  'chart graph plot diagram',
  'configuration config settings',
  'environment env',
  'issue ticket bug',
  'spreadsheet excel worksheet sheet',
  'calendar event meeting appointment',
  'pod container',
  'add sum plus',
  'divide div',
  'multiply mul',
  'subtract sub minus',
];

/** For names alone: what names shorten or spell in their own way, by the spelling it is compared by. */
const SPELLINGS: Readonly<Record<string, string>> = {
  address: 'addr',
  amount: 'amt',
  auth: 'authorize',
  category: 'cat',
  'channel id': 'channelid',
  count: 'cnt',
  currency: 'curr',
  date: 'dt',
  department: 'dept',
  description: 'desc',
  destination: 'dest dst',
  document: 'doc',
  function: 'fn',
  id: 'guid identifier ident uuid',
  image: 'pic',
  language: 'lang',
  latitude: 'lat',
  location: 'loc place',
  longitude: 'lng lon',
  movie: 'film',
  number: 'num',
  organization: 'org organisation',
  package: 'pkg',
  parameter: 'param',
  password: 'pwd',
  people: 'person',
  price: 'cost',
  quantity: 'qty',
  query: 'q',
  song: 'track',
  source: 'src',
  telephone: 'phone tel',
  text: 'content txt',
  timezone: 'tz',
  url: 'href link uri',
  'user id': 'uid userid',
  'user name': 'username',
  writer: 'author',
};

const relatedTo = new Map<string, ReadonlySet<string>>();
for (const words of [...Object.values(SAME_THING), ...RELATED]) {
  const group = words.split(' ').map(stem);
  for (const term of group) {
    const others = [...(relatedTo.get(term) ?? []), ...group].filter((other) => other !== term);
    relatedTo.set(term, new Set(others));
  }
}

const spelling = new Map<string, string>();
for (const [spelt, words] of [...Object.entries(SAME_THING), ...Object.entries(SPELLINGS)]) {
  for (const word of words.split(' ')) spelling.set(word, spelt);
}

/** Terms that stand for a term, as `tokenize` gives it. */
export function relatedTerms(term: string): Iterable<string> {
  return relatedTo.get(term) ?? [];
}

/** The one spelling of a word of a name; of `userid` these are two words. */
export function spelledAlike(word: string): string {
  const known = spelling.get(word);
  if (known !== undefined) return known;
  const one = singular(word);
  return spelling.get(one) ?? one;
}
