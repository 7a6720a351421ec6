/** What values of an argument look like: a path to a PDF file, a link, a number, words. */
import type { Scalar } from './column.js';
import { kept } from './kept-map.js';
import type { Leaf } from './leaves.js';
import { isStandIn } from './stand-in.js';

const LONG = 160;
const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['number', /^-?\d+(?:\.\d+)?$/],
  ['link', /^[a-z][a-z0-9+.-]{1,9}:\/\//i],
  ['mail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['id', /^(?=.*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4}$/i],
  ['date', /^\d{4}-\d{2}(?:-\d{2})?(?:[T ][\d:.Z+-]+)?$/],
];
const ROOTED = /^(?:~|\.{1,2})?\/|^[A-Za-z]:\\/;
const EXTENSION = /\.([A-Za-z][A-Za-z0-9]{0,5})$/;

export function formatOf(value: Scalar): string {
  if (typeof value === 'number') return 'number';
  if (value.length > LONG || value.includes('\n')) return 'text';
  for (const [format, pattern] of FORMATS) if (pattern.test(value)) return format;
  const extension = EXTENSION.exec(value)?.[1]?.toLowerCase();
  if (ROOTED.test(value)) return extension === undefined ? 'folder' : `path.${extension}`;
  if (extension !== undefined && !value.includes(' ')) return `file.${extension}`;
  return value.includes(' ') ? 'words' : 'word';
}

const MOST_PARAMETERS = 3_000;
const MOST_FORMATS = 24;
/** Fewer values say nothing about what the next one looks like. */
const LEAST_VALUES = 4;
const LEAST_NAMED = 12;
const LEAST_SHARE = 0.02;
/** So many kinds of files were seen that another one may come. */
const MANY_KINDS = 3;

/** `parameter` is unique for the tool and the path, `name` is shared by tools. */
interface Parameter {
  readonly parameter: string;
  readonly name: string;
}

interface Seen {
  readonly times: Map<string, number>;
  total: number;
}

export class ValueFormats {
  readonly #seen = new Map<string, Seen>();

  add({ parameter, name }: Parameter, value: Leaf): void {
    if ((typeof value !== 'string' && typeof value !== 'number') || isStandIn(value)) return;
    const format = formatOf(value);
    for (const key of [parameter, name]) {
      const seen = kept(this.#seen, key, newSeen, 2 * MOST_PARAMETERS);
      seen.total += 1;
      const times = (seen.times.get(format) ?? 0) + 1;
      if (times > 1 || seen.times.size < MOST_FORMATS) seen.times.set(format, times);
    }
  }

  /** Undefined where too little was seen: then every value may fit. */
  usual({ parameter, name }: Parameter): ((format: string) => boolean) | undefined {
    const own = this.#seen.get(parameter);
    if (own && own.total >= LEAST_VALUES) return often(own);
    const named = this.#seen.get(name);
    return named && named.total >= LEAST_NAMED ? often(named) : undefined;
  }
}

/** Of files, all kinds once several were seen. */
function often({ times, total }: Seen): (format: string) => boolean {
  const usual = [...times].filter(([, count]) => count >= LEAST_SHARE * total).map(([one]) => one);
  const files = usual.filter((format) => /^(?:path|file)[.]/.test(format));
  const heads = files.length >= MANY_KINDS ? new Set(files.map(headOf)) : NO_HEADS;
  const known = new Set(usual);
  return (format) => known.has(format) || heads.has(headOf(format));
}

const NO_HEADS: ReadonlySet<string> = new Set();

function headOf(format: string): string {
  return format.slice(0, 5);
}

const newSeen = (): Seen => ({ times: new Map(), total: 0 });
