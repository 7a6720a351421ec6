import type { FoundLiteral } from './literal.js';

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';

const ISO_MOMENT =
  /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?(?![\d:])/g;
const ISO_DATE = /(?<![\d-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d-])/g;
const SLASHED = /(?<![\d/])(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?![\d/])/g;
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY}(?!\\d)(?:(?:, ?| )(\\d{4})(?!\\d))?`, 'gi');
const DAY_FIRST = new RegExp(
  `\\b${DAY} (?:of )?${MONTH}(?!\\p{L})(?:(?:, ?| )(\\d{4})(?!\\d))?`,
  'giu',
);
const RELATIVE = /(?<!\p{L})(today|tonight|tomorrow|yesterday)(?!\p{L})/giu;
const WEEKDAY =
  /(?<!\p{L})(?:(?:next|this|last) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?!\p{L})/giu;
const CLOCK =
  /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?: ?([ap])\.?m\b\.?)?(?![\d:])/gi;
const HOUR = /(?<![\d:.])(1[0-2]|[1-9]) ?([ap])\.?m\b\.?/gi;

const OFFSETS: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  yesterday: -1,
};
const DAY_MS = 86_400_000;

/** Dates and times. ISO where there is one reading only; else what was written, marked as such. */
export function* readDates(intent: string, today: string | undefined): Generator<FoundLiteral> {
  for (const match of intent.matchAll(ISO_MOMENT)) {
    const [text, day, clock, zone = ''] = match;
    yield found('datetime', match, isDay(day!) ? `${day}T${clock}${zone}` : undefined, text);
  }
  for (const match of intent.matchAll(ISO_DATE)) yield date(match, match[1], match[3], match[4]);
  for (const match of intent.matchAll(SLASHED)) {
    const [, a, , b, year] = match;
    // 5/4 is a day of May or of April, depending on who writes; 25/4 is not.
    if (a === b || Number(a) > 12) yield date(match, year, b, a);
    else if (Number(b) > 12) yield date(match, year, a, b);
    else yield found('date', match, undefined);
  }
  for (const match of intent.matchAll(MONTH_FIRST))
    yield named(match, match[3], match[1], match[2]);
  for (const match of intent.matchAll(DAY_FIRST)) yield named(match, match[3], match[2], match[1]);
  for (const match of intent.matchAll(RELATIVE)) {
    const days = OFFSETS[match[1]!.toLowerCase()] ?? 0;
    yield found('date', match, today === undefined ? undefined : shifted(today, days));
  }
  for (const match of intent.matchAll(WEEKDAY)) yield found('date', match, undefined);
  for (const match of intent.matchAll(CLOCK)) {
    const [, hour, minute, second, half] = match;
    const hours = half ? toDay(Number(hour), half) : Number(hour);
    const time =
      hours === undefined ? undefined : `${two(hours)}:${minute}${second ? `:${second}` : ''}`;
    yield found('time', match, time);
  }
  for (const match of intent.matchAll(HOUR)) {
    const hours = toDay(Number(match[1]), match[2]!);
    yield found('time', match, hours === undefined ? undefined : `${two(hours)}:00`);
  }
}

type Match = RegExpMatchArray & { readonly index?: number };

function date(match: Match, year?: string, month?: string, day?: string): FoundLiteral {
  const iso = `${year}-${two(Number(month))}-${two(Number(day))}`;
  return found('date', match, isDay(iso) ? iso : undefined);
}

function named(match: Match, year: string | undefined, month = '', day = ''): FoundLiteral {
  if (year === undefined) return found('date', match, undefined);
  const place = MONTHS.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3)));
  return date(match, year, String(place + 1), day);
}

function found(
  kind: FoundLiteral['kind'],
  match: Match,
  value: string | undefined,
  text = match[0],
): FoundLiteral {
  const start = match.index ?? 0;
  const end = start + text.length;
  return { kind, value: value ?? text, text, isExact: value !== undefined, start, end };
}

function isDay(iso: string): boolean {
  const time = Date.parse(`${iso}T00:00:00Z`);
  // Others would be the next month: there is no 30th of February.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
}

function shifted(today: string, days: number): string | undefined {
  if (!isDay(today)) return undefined;
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function toDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
