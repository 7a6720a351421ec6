import type { CopyColumn } from './column.js';

const MOST_LINES = 250;
const MOST_OF_ONE = 200;
const MOST_COLUMNS = 30;

const LABELLED = /^\s*[-*•]?\s*\**([\p{L}_][\p{L}\p{N}_ /-]{0,30}?)\**:\s+(.{1,300}?)[\s,;]*$/u;
const TAGGED = /^\s*\[([A-Z]{2,8})\]\s+(.{1,300}?)\s*$/;
const LISTED = /^\s*(?:[-*•]|\d{1,3}[.)])\s+(.{1,200}?)(?:\s+[(:—–-].*)?\s*$/;
const QUOTED_FIELD =
  /['"]([\w -]{1,30})['"]:\s*(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|(-?\d+(?:\.\d+)?))/g;
const ROOTED = /(?<![\w/:.])\/[\w.@+-]+(?:\/[\w.@+-]+)+/g;
const LINK = /https?:\/\/[^\s"'<>)\]]+/g;
const QUOTED = /(?<!\w)['"`]([^'"`\n]{2,120})['"`](?!\w)/g;
const REFERENCE = /\[ref=(\w{1,12})\]/g;

/** What stands in text that is no JSON: labels, list items, names of files, paths, links, tables. */
export function textColumns(text: string): readonly CopyColumn[] {
  const columns = new Map<string, string[]>();
  const add = (path: string, value: string) => {
    const column = columns.get(path);
    if (column) {
      if (column.length < MOST_OF_ONE) column.push(value);
    } else if (columns.size < MOST_COLUMNS) columns.set(path, [value]);
  };
  const lines = text.split(/\r?\n/, MOST_LINES);
  for (const [path, value] of tableCells(lines)) add(path, value);
  for (const line of lines) {
    for (const [path, value] of readLine(line)) add(path, value);
  }
  for (const [path, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern))
      add(path, (match[1] ?? match[0]).replace(/[.,;:]$/, ''));
  }
  for (const [, key, one, other, number] of text.matchAll(QUOTED_FIELD)) {
    add(`~'${key}'`, one ?? other ?? number ?? '');
  }
  return Array.from(columns, ([path, values]) => ({ path, values }));
}

const PATTERNS = [
  ['~path', ROOTED],
  ['~link', LINK],
  ['~quoted', QUOTED],
  ['~ref', REFERENCE],
] as const;

function* readLine(line: string): Generator<readonly [path: string, value: string]> {
  if (line.length > 400) return;
  const tagged = TAGGED.exec(line);
  if (tagged) {
    yield [`~[${tagged[1]}]`, tagged[2]!];
    return;
  }
  const labelled = LABELLED.exec(line);
  if (labelled) yield [`~${labelled[1]!.toLowerCase()}`, labelled[2]!];
  const listed = LISTED.exec(line);
  if (listed) yield ['~-', listed[1]!];
  const whole = line.trim();
  if (!labelled && !listed && whole !== '' && whole.length <= 120) yield ['~line', whole];
}

/** Lines with the same number of commas, under a line of names. */
function* tableCells(lines: readonly string[]): Generator<readonly [path: string, value: string]> {
  const [head = '', ...rest] = lines;
  const names = head.split(',');
  if (names.length < 2 || names.some((name) => name.length > 40) || rest.length === 0) return;
  for (const line of rest) {
    const cells = line.split(',');
    if (cells.length !== names.length) continue;
    for (const [at, cell] of cells.entries()) {
      if (cell.trim() !== '') yield [`~csv.${names[at]!.trim()}`, cell.trim()];
    }
  }
}
