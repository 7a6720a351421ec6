/** Sizes that keep the house easy to find one's way in. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const MOST_FILES = 25;
const MOST_LINES = 400;
const MOST_MEDIAN_LINES = 70;
/** Functions that are sent into the sandbox as one text each, and what a program writes. */
const MAY_BE_LONG = /^(sandbox\/guest\/|.*\.generated\.ts$)/;

const files = readdirSync(SRC, { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((name) => ({ name, lines: readFileSync(join(SRC, name), 'utf8').split('\n') }));

test('the scan sees the sources', () => {
  expect(files.length).toBeGreaterThan(500);
});

test(`no folder holds more than ${MOST_FILES} files directly, tests not counted`, () => {
  const counts = new Map<string, number>();
  for (const { name } of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
  const tooBig = [...counts].filter(([, count]) => count > MOST_FILES);

  expect(tooBig.map(([folder, count]) => `${folder}: ${count} files`)).toEqual([]);
});

test(`no file is longer than ${MOST_LINES} lines`, () => {
  const tooLong = files.filter(
    ({ name, lines }) => lines.length - 1 > MOST_LINES && !MAY_BE_LONG.test(name),
  );

  expect(tooLong.map(({ name, lines }) => `${name}: ${lines.length - 1} lines`)).toEqual([]);
});

test(`half of the files have at most ${MOST_MEDIAN_LINES} lines`, () => {
  const lengths = files.map(({ lines }) => lines.length - 1).toSorted((a, b) => a - b);

  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MOST_MEDIAN_LINES);
});

test('a double cast stands only at an edge, with a comment that says why', () => {
  // Objects without a prototype, and globals that the guest captures: its types cannot say that.
  const isGuest = (name: string) => name.startsWith('sandbox/guest/');
  const isComment = (line: string) => /\/\/|\*\/|^\s*\*/.test(line);
  const bare = files.flatMap(({ name, lines }) =>
    lines.flatMap((line, place) => {
      if (!line.includes('as unknown as') || isGuest(name)) return [];
      const isExplained = lines.slice(Math.max(0, place - 5), place + 1).some(isComment);
      return isExplained ? [] : [`${name}:${place + 1}`];
    }),
  );

  expect(bare).toEqual([]);
});

test('the page on the architecture names every room, and every file on its five paths is there', () => {
  const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
  const rooms = new Set(
    files.map(({ name }) => name.split('/')[0]!).filter((one) => !one.includes('.')),
  );
  const diagram = page.slice(page.indexOf('## The house'), page.indexOf('| room |'));
  const paths = page.slice(page.indexOf('## Five paths'), page.indexOf('## Life of a call'));
  const named = [...paths.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file!);
  const known = new Set(files.map(({ name }) => name));

  expect([...rooms].filter((room) => !new RegExp(`[ &]${room}\\b(?!-)`).test(diagram))).toEqual([]);
  expect([...rooms].filter((room) => !page.includes(`\n| \`${room}\` |`))).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !known.has(file))).toEqual([]);
});
