/** Words that hide the actor or that the glossary replaces: in messages, comments, test names and pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'web/src', 'scripts', 'test', 'bench', 'docs'];

const UNCLEAR =
  /\b(somebody|someone|nobody|anybody|anyone|everybody|whoever|anew|set aside|sets aside|of then|(?:take|takes|taken|taking|took) up|(?:tell|tells|told) of|(?:is|are|was|were) told|what became of|come to its turn|put away|in vain)\b/i;

/**
 * Words of users, which requests and made-up tools may hold. In code they stand in quotes; a name that
 * begins a sentence of ours does not.
 */
const SPOKEN: readonly RegExp[] = [
  /words\/(request-grammar|only-asks)/,
  /test\/(fixtures|prose|docs)\b/,
  /test\/process\/(discovery|learning|bad-servers|gateway-|run-input)/,
  /test\/helpers\/postgres-server/,
  /(discovery|found-hits|gather-candidates|complete-suggestion|widths|describe-table|http-token)\.test\.ts$/,
  /(lost-calls|remote-servers|peer|user-first|workflow-answer)\.test\.ts$/,
  /bench\/(data|questions)\//,
];

interface Line {
  readonly place: string;
  readonly text: string;
}

function linesOf(path: string): readonly Line[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return text.split('\n').map((line, at) => ({ place: `${path}:${at + 1}`, text: line }));
}

function readFiles(): readonly string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map(
      (file) => `${folder}/${String(file).replaceAll('\\', '/')}`,
    ),
  );
  return [...inFolders, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter(
    (path) => /\.(ts|tsx|mjs|md)$/.test(path) && !SPOKEN.some((one) => one.test(path)),
  );
}

/** A name of the code is no word: `for (const told of nodes)`. */
function unclear(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ place, text }) => {
    const words = text.replaceAll(/\bconst told of\b/g, '');
    return UNCLEAR.test(words) ? [`${place}: ${text.trim()}`] : [];
  });
}

test('the prose check finds unclear words in messages, comments and test names, and no others', () => {
  const lines = [
    "throw new Error('nobody answered');",
    '// Taken up after a crash.',
    "test('whoever asks is told', () => {});",
    'for (const told of nodes) add(told);',
    '// The client asks again.',
  ].map((text, at) => ({ place: `x.ts:${at + 1}`, text }));

  expect(unclear(lines).map((one) => one.split(': ')[0])).toEqual(['x.ts:1', 'x.ts:2', 'x.ts:3']);
});

// covers: PLAIN-WORDS
test('no message, comment, test name or page uses a word that hides who does what', () => {
  const files = readFiles();

  expect(files.length, 'the scan found too few files: it is blind').toBeGreaterThan(1_500);
  expect(files.flatMap((path) => unclear(linesOf(path)))).toEqual([]);
});

/** Words of earlier journals, and states of other things: a lock, a call that is kept. */
const OTHER_STATES = /src\/(runs\/mend-events|process\/owner-lock)/;
const OLD_STATUS = /'(?:task-succeeded|succeeded|held|doubtful)'/;

// covers: PLAIN-WORDS
test('no code calls the state of a run or task by a second word', () => {
  const files = readFiles().filter(
    (path) => /^(src|web)\//.test(path) && !OTHER_STATES.test(path) && !path.includes('.test.'),
  );
  const lines = files.flatMap(linesOf);

  expect(OLD_STATUS.test("status === 'held'"), 'the check is blind').toBe(true);
  expect(lines.filter(({ text }) => /task-(?!held)/.test(text)).length).toBeGreaterThan(20);
  expect(
    lines.flatMap(({ place, text }) => (OLD_STATUS.test(text) ? [`${place}: ${text}`] : [])),
  ).toEqual([]);
});
