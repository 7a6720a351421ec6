/** Splits names and texts into words that can be compared: `artistIds` → `artist`, `id`. */

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\d+/gu;

/** One spelling for words that name the same thing. */
const SAME = new Map(
  Object.entries({
    addr: 'address',
    amt: 'amount',
    author: 'writer',
    authorize: 'auth',
    cat: 'category',
    channelid: 'channel id',
    cnt: 'count',
    content: 'text',
    cost: 'price',
    curr: 'currency',
    dept: 'department',
    desc: 'description',
    dest: 'destination',
    dir: 'folder',
    directory: 'folder',
    doc: 'document',
    dst: 'destination',
    dt: 'date',
    email: 'mail',
    film: 'movie',
    fn: 'function',
    guid: 'id',
    href: 'url',
    identifier: 'id',
    ident: 'id',
    img: 'image',
    lang: 'language',
    lat: 'latitude',
    link: 'url',
    lng: 'longitude',
    loc: 'location',
    lon: 'longitude',
    msg: 'message',
    num: 'number',
    org: 'organization',
    organisation: 'organization',
    param: 'parameter',
    person: 'people',
    phone: 'telephone',
    photo: 'image',
    pic: 'image',
    picture: 'image',
    pkg: 'package',
    place: 'location',
    pwd: 'password',
    q: 'query',
    qty: 'quantity',
    repo: 'repository',
    src: 'source',
    tel: 'telephone',
    track: 'song',
    txt: 'text',
    tz: 'timezone',
    uid: 'user id',
    uri: 'url',
    userid: 'user id',
    username: 'user name',
    uuid: 'id',
  }),
);

/** Words that nearly every name could have: alike in them alone, two names are hardly alike. */
const COMMON = new Set(
  'id name type value data result info information detail list item status state code date time number text url key title description count total page limit query response output input object body message success error'.split(
    ' ',
  ),
);
const COMMON_WEIGHT = 0.35;

const EMPTY_WORDS = new Set(
  'a an and are as at be by can for from get given has have if in into is it its list not of on one or retrieve return returned returns search set specific specified such that the their them this to use used using was which will with you your e g i'.split(
    ' ',
  ),
);

/** Words of a name, in order, one spelling each. */
export function nameWords(name: string): readonly string[] {
  const words = name.match(WORD) ?? [];
  return words.flatMap((word) => canonical(word.toLowerCase()).split(' '));
}

/** Words of a text that say something, once each. */
export function textWords(text: string): ReadonlySet<string> {
  return new Set(nameWords(text).filter((word) => word.length > 1 && !EMPTY_WORDS.has(word)));
}

/** How much it says that two names share this word. */
export function wordWeight(word: string): number {
  return COMMON.has(word) || word.length === 1 ? COMMON_WEIGHT : 1;
}

function canonical(word: string): string {
  const known = SAME.get(word);
  if (known !== undefined) return known;
  const one = singular(word);
  return SAME.get(one) ?? one;
}

function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|news|series)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
