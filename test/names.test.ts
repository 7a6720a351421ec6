import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Commands share the names of the functions they call, and no module imports them. */
const EDGES = new Set(['cli', 'cli.ts']);

/** Names with one meaning in all their modules, and why they are declared twice. */
const SAME_MEANING: Readonly<Record<string, string>> = {};

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type) (\w+)/gm;

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Names that two modules export, as `name: path, path`. */
function sharedNames(sources: readonly Source[]): readonly string[] {
  const paths = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, name = ''] of text.matchAll(DECLARED)) {
      paths.set(name, (paths.get(name) ?? new Set()).add(path));
    }
  }
  return [...paths].flatMap(([name, own]) => {
    const modules = new Set(Array.from(own, (path) => path.split('/')[0]));
    return modules.size > 1 ? [`${name}: ${[...own].join(', ')}`] : [];
  });
}

function readSources(): readonly Source[] {
  return readdirSync(SRC, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => !EDGES.has(path.split('/')[0] ?? ''))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}

test('name check finds a name that two modules declare, and no other', () => {
  const sources = [
    {
      path: 'a/one.ts',
      text: 'export interface Plan {}\nexport const own = 1;\nconst private = 1;',
    },
    { path: 'b/two.ts', text: 'export type Plan = string;\nexport { own } from "../a/index.js";' },
    { path: 'b/three.ts', text: 'export const alone = 1;' },
  ];

  expect(sharedNames(sources)).toEqual(['Plan: a/one.ts, b/two.ts']);
});

test('no name is declared in two modules with two meanings', () => {
  const sources = readSources();

  expect(sources.length, 'the scan found too few files: it is blind').toBeGreaterThan(400);
  const shared = sharedNames(sources);
  const unknown = shared.filter((one) => !(one.split(':')[0]! in SAME_MEANING));
  expect(unknown).toEqual([]);
  const names = new Set(shared.map((one) => one.split(':')[0]));
  expect(Object.keys(SAME_MEANING).filter((name) => !names.has(name))).toEqual([]);
});
