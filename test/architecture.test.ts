import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Module → modules it may import, types included. A module not in here may not exist. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Pure: no I/O, no clock, no randomness except what is passed in.
  policy: ['core'],
  validation: ['core'],
  code: ['core'],
  graph: ['core'],
  planner: ['core', 'validation'],
  search: ['core'],
  ranking: ['core', 'search'],
  executor: ['core', 'planner', 'policy', 'validation'],
  suggest: ['core', 'search', 'ranking', 'planner', 'graph'],
  // One outside thing each.
  rpc: ['core'],
  process: ['core'],
  clients: ['core'],
  store: ['core', 'process'],
  journal: ['core'],
  safekeeping: ['core'],
  embedding: ['core'],
  sandbox: ['core'],
  servers: ['core', 'rpc', 'process'],
  catalog: ['core'],
  // Engine: behaviour over the ports of core.
  discovery: ['core', 'search', 'ranking'],
  runs: ['core', 'planner', 'executor'],
  capabilities: ['core', 'code'],
  // Edges: what a client speaks to.
  gateway: [
    'code',
    'core',
    'rpc',
    'policy',
    'validation',
    'planner',
    'graph',
    'suggest',
    'search',
    'discovery',
    'executor',
    'runs',
    'servers',
    'capabilities',
    'catalog',
  ],
  daemon: ['core', 'rpc', 'process', 'gateway'],
  // Joins everything.
  app: [
    'code',
    'sandbox',
    'core',
    'planner',
    'executor',
    'runs',
    'journal',
    'safekeeping',
    'clients',
    'store',
    'embedding',
    'servers',
    'catalog',
    'search',
    'discovery',
    'graph',
    'capabilities',
    'gateway',
    'daemon',
    'process',
  ],
  cli: ['core', 'clients', 'store', 'search', 'daemon', 'process', 'app'],
  'cli.ts': ['core', 'cli'],
};

/** No door: a command loads the few files it needs, and nobody else may import these anyway. */
const WITHOUT_DOOR = new Set(['app', 'cli']);

/** Side doors that are meant, each with its reason. */
const SIDE_DOORS: Readonly<Record<string, readonly string[]>> = {
  // What a relay loads before its first byte is waited for in every session: errors, and no more.
  'cli.ts': ['core/errors.js', 'core/visible-text.js'],
  'app/approvals.ts': ['core/errors.js'],
  'app/choose-config.ts': ['core/errors.js'],
  'app/find-config.ts': ['core/errors.js'],
  'daemon/connect.ts': ['core/errors.js'],
  'daemon/data-dir.ts': ['core/errors.js'],
  'daemon/owner-mark.ts': ['core/errors.js'],
  'daemon/read-first-line.ts': ['core/errors.js'],
  'daemon/relay.ts': ['core/errors.js', 'rpc/write-now.js'],
  'daemon/socket-path.ts': ['core/errors.js'],
  'daemon/start-error.ts': ['core/errors.js'],
  // Every agent session starts a relay, so it loads only itself and not the daemon behind the door.
  'cli/serve.ts': [
    'daemon/relay.js',
    'daemon/socket-path.js',
    'daemon/start-daemon.js',
    'daemon/start-error.js',
  ],
  // Of many daemons started at once all but one end here, before anything else is loaded.
  'cli/daemon.ts': [
    'daemon/become-owner.js',
    'daemon/data-dir.js',
    'daemon/last-words.js',
    'daemon/start-error.js',
    'process/gentle-loading.js',
  ],
  // HTTP brings the SDK with it, which is loaded with the first `serve --http`.
  'app/create-daemon.ts': ['gateway/http.js'],
};

/** Modules that decide only; hashing is a pure function that happens to live in `node:crypto`. */
const PURE = new Set([
  'core',
  'policy',
  'validation',
  'planner',
  'search',
  'ranking',
  'executor',
  'code',
  'graph',
  'suggest',
]);
const PURE_BUILT_INS = new Set(['node:crypto']);

interface Import {
  readonly from: string;
  /** A path below `src`, or a package. */
  readonly to: string;
  readonly isPackage: boolean;
  readonly isTypeOnly: boolean;
  readonly isLazy: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

function importsOf(from: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, fixed, lazy]) => {
    const specifier = fixed ?? lazy ?? '';
    const isPackage = !specifier.startsWith('.');
    const to = isPackage ? specifier : posix.join(posix.dirname(from), specifier);
    return { from, to, isPackage, isTypeOnly: type !== undefined, isLazy: fixed === undefined };
  });
}

/** Why an import breaks the rules, or undefined if it does not. */
function complaint({ from, to, isPackage }: Import): string | undefined {
  const module = moduleOf(from);
  const allowed = MAY_IMPORT[module];
  if (!allowed) return `${from}: ${module} is not in the table`;
  if (to.startsWith('node:')) {
    const isFine = !PURE.has(module) || PURE_BUILT_INS.has(to);
    return isFine ? undefined : `${from}: ${module} is pure and may not import ${to}`;
  }
  const target = moduleOf(to);
  const isElsewhere = isPackage || !to.endsWith('.js') || to.startsWith('..');
  if (isElsewhere || target === module) return undefined;
  if (!allowed.includes(target)) return `${from}: ${module} may not import ${target}`;
  if (to === `${target}/index.js` || WITHOUT_DOOR.has(target)) return undefined;
  if (SIDE_DOORS[from]?.includes(to)) return undefined;
  return `${from}: enter ${target} by its index, not ${to}`;
}

function moduleOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function readSources(): ReadonlyMap<string, readonly Import[]> {
  const files = readdirSync(SRC, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return new Map(
    files.map((file) => [file, importsOf(file, readFileSync(join(SRC, file), 'utf8'))]),
  );
}

/** Everything that is loaded when a file is, packages included. */
function loadedBy(
  sources: ReadonlyMap<string, readonly Import[]>,
  file: string,
  loaded = new Set<string>(),
): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { to, isTypeOnly, isLazy } of sources.get(file.replace(/\.js$/, '.ts')) ?? []) {
    if (!isTypeOnly && !isLazy) loadedBy(sources, to, loaded);
  }
  return loaded;
}

const made = (from: string, line: string) => importsOf(from, line).map(complaint);

describe('module boundaries', () => {
  test('the check itself refuses a wrong direction, a side door, I/O and an unknown module', () => {
    const wrong = [
      made('core/ids.ts', "import { runPlan } from '../executor/index.js';"),
      made('core/ids.ts', "import type { Plan } from '../planner/index.js';"),
      made('gateway/view.ts', "export { orderTasks } from '../planner/order-tasks.js';"),
      made('gateway/view.ts', "const late = await import('../store/index.js');"),
      made('search/rank.ts', "import { readFile } from 'node:fs/promises';"),
      made('search/rank.ts', "import {\n  a,\n  type B,\n} from '../store/index.js';"),
      made('learning/train.ts', "import { a } from '../core/index.js';"),
      made('cli/status.ts', "import { Relay } from '../daemon/relay.js';"),
    ];

    expect(wrong.map((complaints) => complaints.filter(Boolean).length)).toEqual(
      wrong.map(() => 1),
    );
  });

  test('the check itself accepts what the table allows', () => {
    const right = [
      made('executor/run-plan.ts', "import { resolveArgs } from '../planner/index.js';"),
      made('executor/run-plan.ts', "import { runTask } from './run-task.js';"),
      made('cli/serve.ts', "import { Relay } from '../daemon/relay.js';"),
      made('core/tool.ts', "import { createHash } from 'node:crypto';"),
      made('app/config.ts', "import * as z from 'zod';"),
    ];

    expect(right.flat()).toEqual(right.map(() => undefined));
  });

  test('every import of the sources follows the table', () => {
    const imports = [...readSources().values()].flat();

    expect(imports.length, 'the scan found too few imports: it is blind').toBeGreaterThan(400);
    expect(imports.flatMap((one) => complaint(one) ?? [])).toEqual([]);
  });

  test('every module has a door, and every side door is used', () => {
    const sources = readSources();
    const modules = Object.keys(MAY_IMPORT).filter((name) => !name.includes('.'));
    const doorless = modules.filter((name) => !sources.has(`${name}/index.ts`));
    const used = new Set(
      [...sources].flatMap(([from, all]) => all.map(({ to }) => `${from} ${to}`)),
    );
    const unused = Object.entries(SIDE_DOORS).flatMap(([from, doors]) =>
      doors.map((to) => `${from} ${to}`).filter((pair) => !used.has(pair)),
    );

    expect(new Set(doorless)).toEqual(WITHOUT_DOOR);
    expect(unused).toEqual([]);
  });

  test('a relay loads no package and nothing of what the daemon is made of', () => {
    const loaded = [...loadedBy(readSources(), 'cli/serve.ts')];
    const packages = loaded.filter((one) => !/^node:|\.[jt]s$/.test(one));
    const modules = new Set(loaded.filter((one) => one.endsWith('.js')).map(moduleOf));

    expect(loaded.length, 'the scan followed nothing: it is blind').toBeGreaterThan(10);
    expect(packages).toEqual([]);
    expect([...modules].toSorted()).toEqual(['app', 'cli', 'core', 'daemon', 'rpc']);
  });
});
