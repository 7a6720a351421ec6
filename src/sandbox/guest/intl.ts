import type { Primordials } from './primordials.js';

/**
 * The small part of `Intl` that scripts use to format numbers and dates: American English,
 * Coordinated Universal Time. Unsupported options throw, so no reader sees a wrong text.
 */
export function installIntl(p: Primordials): void {
  type Options = Readonly<Record<string, unknown>>;
  const symbols: Readonly<Record<string, string>> = {
    USD: '$',
    EUR: '€',
    GBP: '£',
    JPY: '¥',
    INR: '₹',
    CNY: 'CN¥',
    CHF: 'CHF ',
  };
  const months =
    'January February March April May June July August September October November December';
  const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday';
  /** The word at an index, without splitting: the script may have changed arrays. */
  const wordAt = (words: string, index: number): string => {
    let start = 0;
    for (let i = 0; i < index; i++) start = p.indexOf(words, ' ', start) + 1;
    const end = p.indexOf(words, ' ', start);
    return p.slice(words, start, end === -1 ? words.length : end);
  };
  const two = (value: number): string => p.padStart(p.text(value), 2, '0');
  const optionsOf = (given: unknown): Options => (given ?? { __proto__: null }) as Options;

  const grouped = (digits: string): string => {
    let text = '';
    for (let i = 0; i < digits.length; i++) {
      if (i > 0 && (digits.length - i) % 3 === 0) text += ',';
      text += digits[i];
    }
    return text;
  };
  const trimZeros = (digits: string, least: number): string => {
    let end = digits.length;
    while (end > least && digits[end - 1] === '0') end -= 1;
    return p.slice(digits, 0, end);
  };
  const decimal = (value: number, least: number, most: number, isGrouped: boolean): string => {
    const text = p.toFixed(value, most);
    const point = p.indexOf(text, '.');
    const whole = point === -1 ? text : p.slice(text, 0, point);
    const rest = point === -1 ? '' : trimZeros(p.slice(text, point + 1), least);
    return (isGrouped ? grouped(whole) : whole) + (rest === '' ? '' : `.${rest}`);
  };
  const count = (value: unknown, otherwise: number): number => {
    if (value === undefined) return otherwise;
    const number = p.number(value);
    if (!p.isInteger(number) || number < 0 || number > 100)
      throw new p.RangeError('fraction digits');
    return number;
  };
  const formatNumber = (given: unknown, options: Options): string => {
    const style = options['style'] ?? 'decimal';
    const value = typeof given === 'bigint' ? p.number(given) : p.number(given);
    if (value !== value) return 'NaN';
    const isPercent = style === 'percent';
    const isMoney = style === 'currency';
    if (!isPercent && !isMoney && style !== 'decimal')
      throw new p.RangeError(`Intl.NumberFormat here knows no style ${p.text(style)}`);
    const currency = p.text(options['currency']);
    const usual = isMoney ? (currency === 'JPY' ? 0 : 2) : 0;
    const least = count(options['minimumFractionDigits'], usual);
    const highest = isMoney ? usual : isPercent ? 0 : 3;
    const most = count(options['maximumFractionDigits'], highest > least ? highest : least);
    const size = p.abs(isPercent ? value * 100 : value);
    const digits = p.isFinite(size)
      ? decimal(size, least, most, options['useGrouping'] !== false)
      : '∞';
    const sign = value < 0 ? '-' : '';
    const symbol = p.hasOwn(symbols, currency) ? symbols[currency] : `${currency} `;
    return sign + (isMoney ? symbol : '') + digits + (isPercent ? '%' : '');
  };

  const dateFields = p.bare<number>;
  const field = (name: string) => dateFields(Date.prototype, name);
  const [year, month, day, weekday] = [
    field('getUTCFullYear'),
    field('getUTCMonth'),
    field('getUTCDate'),
    field('getUTCDay'),
  ];
  const [hour, minute, second] = [
    field('getUTCHours'),
    field('getUTCMinutes'),
    field('getUTCSeconds'),
  ];
  const dateText = (date: unknown, options: Options): string => {
    const written = options['month'] === 'long' || options['month'] === 'short';
    const y = options['year'] === '2-digit' ? two(year(date) % 100) : p.text(year(date));
    const d = options['day'] === '2-digit' ? two(day(date)) : p.text(day(date));
    const name = wordAt(days, weekday(date));
    const dayName = options['weekday'] === 'long' ? name : p.slice(name, 0, 3);
    const before = options['weekday'] === undefined ? '' : `${dayName}, `;
    const has = (key: string) => options[key] !== undefined;
    const isWhole = !has('year') && !has('month') && !has('day');
    if (!written) {
      const m = options['month'] === '2-digit' ? two(month(date) + 1) : p.text(month(date) + 1);
      if (isWhole && has('weekday')) return dayName;
      let text = isWhole || has('month') ? m : '';
      if (isWhole || has('day')) text += (text === '' ? '' : '/') + d;
      if (isWhole || has('year')) text += (text === '' ? '' : '/') + y;
      return before + text;
    }
    const long = wordAt(months, month(date));
    let text = options['month'] === 'long' ? long : p.slice(long, 0, 3);
    if (has('day')) text += ` ${d}`;
    if (has('year')) text += (has('day') ? ', ' : ' ') + y;
    return before + text;
  };
  const timeText = (date: unknown, options: Options): string => {
    const is24 = options['hour12'] === false || options['hourCycle'] === 'h23';
    const h = hour(date);
    const shown = is24 ? h : h % 12 === 0 ? 12 : h % 12;
    const isPadded = is24 || options['hour'] === '2-digit';
    const seconds =
      options['hour'] !== undefined && options['second'] === undefined
        ? ''
        : `:${two(second(date))}`;
    const half = is24 ? '' : h < 12 ? ' AM' : ' PM';
    return `${isPadded ? two(shown) : p.text(shown)}:${two(minute(date))}${seconds}${half}`;
  };
  const styles: Readonly<Record<string, Options>> = {
    full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
    long: { year: 'numeric', month: 'long', day: 'numeric' },
    medium: { year: 'numeric', month: 'short', day: 'numeric' },
    short: { year: '2-digit', month: 'numeric', day: 'numeric' },
  };
  const formatDate = (date: unknown, given: Options, parts: 'date' | 'time' | 'both'): string => {
    const zone = given['timeZone'];
    if (zone !== undefined && zone !== 'UTC' && zone !== 'GMT' && zone !== 'Etc/UTC')
      throw new p.RangeError(`only the time zone UTC is known here, not ${p.text(zone)}`);
    if (p.dateTime(date) !== p.dateTime(date)) return 'Invalid Date';
    const asks = (key: string) => given[key] !== undefined;
    const asksDate =
      asks('year') || asks('month') || asks('day') || asks('weekday') || asks('dateStyle');
    const asksTime = asks('hour') || asks('minute') || asks('second') || asks('timeStyle');
    const style = p.text(given['dateStyle']);
    const options = p.hasOwn(styles, style) ? (styles[style] as Options) : given;
    const showsDate = asksDate || (parts !== 'time' && !(parts === 'both' && asksTime));
    const showsTime = asksTime || (parts !== 'date' && !(parts === 'both' && asksDate));
    const isShort = given['timeStyle'] === 'short' ? { hour: 'numeric', minute: 'numeric' } : given;
    const time = showsTime ? timeText(date, isShort) : '';
    const text = showsDate ? dateText(date, options) : '';
    return text !== '' && time !== '' ? `${text}, ${time}` : text + time;
  };

  const put = (target: object, key: string, value: unknown): void => {
    p.defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    } as PropertyDescriptor);
  };
  const DateOf = Date;
  put(Number.prototype, 'toLocaleString', function (this: unknown, _: unknown, options: unknown) {
    return formatNumber(this, optionsOf(options));
  });
  put(BigInt.prototype, 'toLocaleString', function (this: unknown, _: unknown, options: unknown) {
    return formatNumber(this, optionsOf(options));
  });
  const dateMethod = (parts: 'date' | 'time' | 'both') =>
    function (this: unknown, _: unknown, options: unknown): string {
      return formatDate(this, optionsOf(options), parts);
    };
  put(DateOf.prototype, 'toLocaleString', dateMethod('both'));
  put(DateOf.prototype, 'toLocaleDateString', dateMethod('date'));
  put(DateOf.prototype, 'toLocaleTimeString', dateMethod('time'));

  const resolved = {
    locale: 'en-US',
    timeZone: 'UTC',
    numberingSystem: 'latn',
    calendar: 'gregory',
  };
  class NumberFormat {
    readonly format: (value: unknown) => string;
    constructor(_: unknown, options: unknown) {
      const own = optionsOf(options);
      this.format = (value) => formatNumber(value, own);
    }
    resolvedOptions() {
      return { ...resolved };
    }
  }
  class DateTimeFormat {
    readonly format: (date?: unknown) => string;
    constructor(_: unknown, options: unknown) {
      const own = optionsOf(options);
      this.format = (date) =>
        formatDate(
          typeof date === 'object'
            ? date
            : date === undefined
              ? new DateOf()
              : new DateOf(date as number),
          own,
          own['timeStyle'] === undefined && own['hour'] === undefined ? 'date' : 'both',
        );
    }
    resolvedOptions() {
      return { ...resolved };
    }
  }
  put(globalThis, 'Intl', { NumberFormat, DateTimeFormat });
}
