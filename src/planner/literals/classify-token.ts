import type { Literal } from './literal.js';

/** What a token holds, with its place in the token. */
export type TokenLiteral = Pick<Literal, 'kind' | 'value' | 'text'> &
  Partial<Pick<Literal, 'unit' | 'label'>> & { readonly from: number; readonly to: number };

const LABELLED = /^([\p{L}_][\p{L}\p{N}_.-]{0,60})[=:](?=[^\s=/\\:])/u;
const URL_TEXT = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>]+$/i;
const EMAIL = /^[^\s@<>()",;:]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const ZONE =
  /^(?:(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US)(?:\/[A-Z][A-Za-z_+\-0-9]*){1,2}|UTC|GMT)$/;
const ROOTED_PATH = /^(?:~|\.{1,2})?\/[^\s:*?"<>|]*$|^[A-Za-z]:\\\S+$|^~$/;
const DOMAIN =
  /^(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|edu|gov|app|ai|co|info|uk|de|fr|eu|jp|cn|us|ca)$/i;
const FILE = /^[\p{L}\p{N}_@+~.-]*[\p{L}\p{N}_~-]\.[a-z][a-z0-9]{0,4}$/iu;
const NOT_FILE = /^(?:e\.g|i\.e|a\.m|p\.m|u\.s|vs?\.|etc\.)/i;
const PAIR = /^[\p{L}\p{N}][\p{L}\p{N}_.-]*\/[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
const NOT_PAIR = new Set(
  'and/or either/or yes/no he/she she/he his/her him/her n/a w/o input/output read/write client/server on/off true/false pros/cons ci/cd tcp/ip km/h m/s'.split(
    ' ',
  ),
);
const VERSION = /^v\d+(?:\.\d+)*(?:-[\w.]+)?$|^\d+\.\d+\.\d+(?:[.-][\w.]+)?$/i;
const NUMBER = /^([$€£¥])?([-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d*\.?\d+)([\p{L}%°]{1,12})?$/u;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;
const TWO_NUMBERS = /^([-+]?\d{1,3}\.\d+),([-+]?\d{1,3}\.\d+)$/;
const CHANNEL = /^#[\p{L}][\p{L}\p{N}_-]*$/u;
const HASH_NUMBER = /^#\d+$/;
const HANDLE = /^@[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
/** Letters and digits mixed, as people do not write words. */
const MIXED = /^#?(?=.*\d)(?=.*[\p{L}])[\p{L}\p{N}]+(?:[_:-][\p{L}\p{N}]+)*$/u;
const HEX = /^[0-9a-f]{7,64}$/;
const SNAKE = /^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u;

const SIGNS: Readonly<Record<string, string>> = { $: 'usd', '€': 'eur', '£': 'gbp', '¥': 'jpy' };
const SPELLED = new Map(
  'two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, place) => [word, place + 2]),
);

/** The literals of one word of a request, punctuation around it already taken off. */
export function classifyToken(token: string): readonly TokenLiteral[] {
  const label = URL_TEXT.test(token) ? undefined : LABELLED.exec(token)?.[1];
  if (label === undefined) return classify(token).map((one) => ({ ...one, ...spanOf(token, one) }));
  const rest = token.slice(label.length + 1);
  const found = classify(rest);
  const literals = found.length > 0 ? found : [{ kind: 'text' as const, value: rest, text: rest }];
  // Surroundings are looked for around the value, so that its name is the nearest word.
  return literals.map((one) => {
    const { from, to } = spanOf(rest, one);
    const offset = label.length + 1;
    return { ...one, label, from: from + offset, to: to + offset };
  });
}

type Bare = Omit<TokenLiteral, 'from' | 'to'>;

function spanOf(token: string, { text }: Bare): { readonly from: number; readonly to: number } {
  const from = Math.max(0, token.indexOf(text));
  return { from, to: from + text.length };
}

function classify(token: string): readonly Bare[] {
  const pair = TWO_NUMBERS.exec(token);
  if (pair) return [numberOf(pair[1]!, Number(pair[1])), numberOf(pair[2]!, Number(pair[2]))];
  const number = asNumber(token);
  if (number) return [number];
  const kind = kindOf(token);
  return kind ? [{ kind, value: token, text: token }] : [];
}

function kindOf(token: string): Literal['kind'] | undefined {
  if (URL_TEXT.test(token)) return 'url';
  if (EMAIL.test(token)) return 'email';
  if (ZONE.test(token)) return 'timezone';
  if (ROOTED_PATH.test(token) && token.length > 1) return 'path';
  if (VERSION.test(token)) return 'version';
  if (DOMAIN.test(token)) return 'domain';
  if (PAIR.test(token) && !NOT_PAIR.has(token.toLowerCase()) && !/^[\d/.]+$/.test(token)) {
    return /\.[a-z][a-z0-9]{0,4}$/i.test(token) ? 'path' : 'repository';
  }
  if (isNestedPath(token)) return 'path';
  if (FILE.test(token) && !NOT_FILE.test(token) && !/^\d+\.\d/.test(token)) return 'path';
  if (CHANNEL.test(token) && !/\d{3}/.test(token)) return 'channel';
  if (HASH_NUMBER.test(token)) return 'id';
  if (HANDLE.test(token)) return 'handle';
  if (ORDINAL.test(token)) return undefined;
  if (token.length >= 4 && MIXED.test(token)) return 'id';
  if ((HEX.test(token) && /\d/.test(token)) || SNAKE.test(token)) return 'id';
  return undefined;
}

function isNestedPath(token: string): boolean {
  const parts = token.split('/');
  return (
    parts.length > 2 &&
    parts.every((part) => part !== '' && /^[\p{L}\p{N}_.@+-]+$/u.test(part)) &&
    !/^[\d/]+$/.test(token)
  );
}

function asNumber(token: string): Bare | undefined {
  const spelled = SPELLED.get(token.toLowerCase());
  if (spelled !== undefined) return numberOf(token, spelled);
  const read = NUMBER.exec(token);
  if (!read || ORDINAL.test(token)) return undefined;
  const [, sign, digits = '', unit] = read;
  const value = Number(digits.replaceAll(',', ''));
  // Digits that do not survive being a number are a name: of an order, a phone, a place.
  if (!Number.isFinite(value) || (!sign && !unit && !isPlain(digits))) {
    return { kind: 'id', value: token, text: token };
  }
  const counted = sign ? SIGNS[sign] : unit?.toLowerCase();
  // `3D` and `4K` are names; `10km` is so many.
  return { ...numberOf(token, value), ...(counted !== undefined && { unit: counted }) };
}

function isPlain(digits: string): boolean {
  const whole = digits.replace(/^[-+]/, '').split(/[.]/)[0] ?? '';
  return whole.length <= 15 && !/^0\d/.test(whole);
}

function numberOf(text: string, value: number): Bare {
  return { kind: 'number', value, text };
}
