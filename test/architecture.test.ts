import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/**
 * Module → modules it may import, types included. A module not in here may not exist, and none may
 * import one that stands below it: no path through the house climbs.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Pure: no I/O, no clock, no randomness except what is passed in.
  words: ['core'],
  learning: [],
  schema: ['core'],
  validation: ['core', 'schema'],
  policy: ['core'],
  code: ['core'],
  graph: ['core'],
  plan: ['core'],
  planner: ['core', 'words', 'learning', 'schema', 'validation', 'plan'],
  executor: ['core', 'policy', 'plan'],
  search: ['core', 'words', 'schema'],
  'tool-text': ['core', 'schema'],
  attention: ['core', 'learning', 'search'],
  ranking: ['core', 'words', 'policy', 'learning', 'attention', 'search'],
  suggest: ['core', 'words', 'learning', 'attention', 'graph', 'planner', 'tool-text'],
  // One outside thing each.
  rpc: ['core'],
  process: ['core'],
  config: ['core'],
  clients: ['core', 'config'],
  store: ['core', 'process'],
  journal: ['core'],
  safekeeping: ['core'],
  embedding: ['core'],
  training: ['core', 'attention'],
  sandbox: ['core'],
  auth: ['core', 'safekeeping'],
  servers: ['core', 'rpc', 'process'],
  catalog: ['core'],
  // Engine: behaviour over the ports of core.
  activity: [],
  discovery: ['core', 'words', 'learning', 'attention', 'search', 'tool-text', 'ranking'],
  runs: ['core', 'schema', 'plan', 'executor'],
  capabilities: ['core', 'schema', 'code'],
  results: ['core', 'schema', 'plan'],
  tools: [
    'core',
    'activity',
    'policy',
    'search',
    'tool-text',
    'rpc',
    'servers',
    'catalog',
    'discovery',
    'capabilities',
    'results',
  ],
  speculation: ['core', 'words', 'learning', 'plan', 'planner', 'rpc', 'servers', 'tools'],
  workflows: [
    'core',
    'schema',
    'learning',
    'attention',
    'validation',
    'policy',
    'code',
    'graph',
    'plan',
    'planner',
    'executor',
    'suggest',
    'rpc',
    'servers',
    'catalog',
    'discovery',
    'runs',
    'capabilities',
    'results',
    'tools',
    'speculation',
  ],
  // Edges: what a client speaks to.
  gateway: [
    'core',
    'schema',
    'search',
    'tool-text',
    'rpc',
    'servers',
    'discovery',
    'capabilities',
    'results',
    'tools',
    'speculation',
    'workflows',
  ],
  daemon: ['core', 'rpc', 'process', 'gateway'],
  control: [
    'core',
    'activity',
    'learning',
    'graph',
    'plan',
    'executor',
    'tool-text',
    // How long the loop of the process was held.
    'process',
    'config',
    'store',
    'auth',
    'servers',
    'catalog',
    'discovery',
    'runs',
    'capabilities',
    'results',
    'tools',
    'speculation',
    'workflows',
    'gateway',
  ],
  dashboard: ['core', 'executor', 'workflows', 'control'],
  // Joins everything.
  app: [
    'core',
    'graph',
    'process',
    'config',
    'store',
    'journal',
    'safekeeping',
    'embedding',
    'training',
    'sandbox',
    'auth',
    'servers',
    'catalog',
    'discovery',
    'capabilities',
    'results',
    'tools',
    'speculation',
    'workflows',
    'gateway',
    'daemon',
    'control',
    'dashboard',
  ],
  cli: [
    'core',
    'schema',
    'tool-text',
    'process',
    'config',
    'clients',
    'store',
    'daemon',
    'control',
    'app',
  ],
  'cli.ts': ['cli'],
  // Hands over to `cli.ts` what it does not run itself.
  'pml.ts': ['cli', 'cli.js'],
};

/** No door: commands, and the relay before all, load the few files they need. */
const WITHOUT_DOOR = new Set(['app', 'cli', 'config']);

/** Side doors that are meant, each with its reason. */
const SIDE_DOORS: Readonly<Record<string, readonly string[]>> = {
  // What a relay loads before its first byte is waited for in every session: errors, and no more.
  'pml.ts': ['cli.js'],
  'clients/replace-client-file.ts': ['core/sha256.js'],
  'config/approvals.ts': ['core/errors.js', 'core/sha256.js'],
  'config/choose.ts': ['core/errors.js'],
  'config/find.ts': ['core/errors.js', 'core/sha256.js'],
  'config/load.ts': ['core/sha256.js'],
  'control/tools/tools.ts': ['core/sha256.js'],
  'daemon/connect.ts': ['core/errors.js'],
  // Every command asks through it.
  'daemon/control-client.ts': [
    'core/errors.js',
    'rpc/line-splitter.js',
    'rpc/line-writer.js',
    'rpc/parse-line.js',
  ],
  'daemon/data-dir.ts': ['core/errors.js'],
  'daemon/owner-mark.ts': ['core/errors.js'],
  'daemon/private-file.ts': ['core/errors.js'],
  'daemon/read-first-line.ts': ['core/errors.js'],
  'daemon/relay.ts': ['core/errors.js', 'rpc/write-now.js'],
  'daemon/socket-path.ts': ['core/errors.js', 'core/sha256.js'],
  'daemon/start-error.ts': ['core/errors.js'],
  // Every agent session starts a relay, so it loads only itself and not the daemon behind the door.
  'cli/serve/serve.ts': [
    'daemon/relay.js',
    'daemon/socket-path.js',
    'daemon/start-daemon.js',
    'daemon/start-error.js',
  ],
  // Of many daemons started at once all but one end here, before anything else is loaded.
  'cli/serve/daemon.ts': [
    'daemon/become-owner.js',
    'daemon/data-dir.js',
    'daemon/last-words.js',
    'daemon/start-error.js',
    'process/gentle-loading.js',
  ],
  // Before the relay and the daemon load anything.
  'cli/serve/resident.ts': ['daemon/code-flags.js'],
  // A command starts as quickly as it can: it asks the daemon and is not made of its parts.
  'cli/daemon/ask-control.ts': ['daemon/control-client.js'],
  'cli/daemon/ask.ts': ['daemon/start-daemon.js', 'daemon/start-error.js'],
  'cli/capabilities/describe.ts': ['schema/keywords.js'],
  'cli/init/collect-client.ts': ['clients/client-files.js'],
  'cli/learned/forget.ts': ['control/contract/speculation.js'],
  'cli/tools/tool-flags.ts': ['schema/keywords.js'],
  'cli/tools/tools.ts': ['tool-text/short-description.js'],
  'cli/serve/logs.ts': ['daemon/start-daemon.js'],
  'rpc/line-splitter.ts': ['core/errors.js'],
  'schema/keywords.ts': ['core/json.js'],
  // HTTP brings the SDK with it, which is loaded with the first `serve --http`.
  'app/http-door.ts': ['gateway/http/http.js'],
};

/** Side doors of a whole module: what most commands need of core, without the rest of it. */
const MODULE_SIDE_DOORS: Readonly<Record<string, readonly string[]>> = {
  cli: [
    'core/errors.js',
    'core/ids.js',
    'core/json.js',
    'core/names/edit-distance.js',
    'core/names/nearest-names.js',
    'core/visible-text.js',
  ],
};

/**
 * Folder → folders of the same module it may not import. The door alone joins them. The two engines
 * stand on what they share, which is in `tables`, `migrations` and beside them.
 */
const KEPT_APART: Readonly<Record<string, readonly string[]>> = {
  store: ['store/embedded', 'store/postgres'],
  'store/embedded': ['store/postgres'],
  'store/migrations': ['store/embedded', 'store/postgres'],
  'store/postgres': ['store/embedded'],
  'store/tables': ['store/embedded', 'store/postgres'],
  'store/tables/graph': ['store/embedded', 'store/postgres'],
};

/** Modules that decide only; hashing is a pure function that happens to live in `node:crypto`. */
const PURE = new Set([
  'core',
  'words',
  'learning',
  'attention',
  'schema',
  'validation',
  'policy',
  'code',
  'graph',
  'plan',
  'planner',
  'executor',
  'search',
  'tool-text',
  'ranking',
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
  if (SIDE_DOORS[from]?.includes(to) || MODULE_SIDE_DOORS[module]?.includes(to)) return undefined;
  return `${from}: enter ${target} by its index, not ${to}`;
}

/** Why an import within a module breaks the rules, or undefined if it does not. */
function roomComplaint({ from, to }: Import): string | undefined {
  if (from === `${moduleOf(from)}/index.ts`) return undefined;
  const closed = KEPT_APART[posix.dirname(from)]?.includes(posix.dirname(to)) ?? false;
  return closed ? `${from}: ${posix.dirname(from)} may not import ${to}` : undefined;
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
      made('tools/view.ts', "export { orderTasks } from '../plan/order-tasks.js';"),
      made('tools/view.ts', "const late = await import('../store/index.js');"),
      made('search/rank.ts', "import { readFile } from 'node:fs/promises';"),
      made('search/rank.ts', "import {\n  a,\n  type B,\n} from '../store/index.js';"),
      made('attic/train.ts', "import { a } from '../core/index.js';"),
      made('cli/serve/status.ts', "import { Relay } from '../../daemon/relay.js';"),
    ];

    expect(wrong.map((complaints) => complaints.filter(Boolean).length)).toEqual(
      wrong.map(() => 1),
    );
  });

  test('the check itself accepts what the table allows', () => {
    const right = [
      made('executor/run-plan.ts', "import { resolveArgs } from '../plan/index.js';"),
      made('executor/run-plan.ts', "import { runTask } from './run-task.js';"),
      made('cli/serve/serve.ts', "import { Relay } from '../../daemon/relay.js';"),
      made('core/tool.ts', "import { createHash } from 'node:crypto';"),
      made('config/config.ts', "import * as z from 'zod';"),
    ];

    expect(right.flat()).toEqual(right.map(() => undefined));
  });

  test('every import of the sources follows the table', () => {
    const imports = [...readSources().values()].flat();

    expect(imports.length, 'the scan found too few imports: it is blind').toBeGreaterThan(400);
    expect(imports.flatMap((one) => complaint(one) ?? [])).toEqual([]);
  });

  test('no module may import one that stands below it in the table', () => {
    const order = Object.keys(MAY_IMPORT);
    const climbing = Object.entries(MAY_IMPORT).flatMap(([module, allowed], place) =>
      allowed.filter((one) => order.indexOf(one) >= place).map((one) => `${module} → ${one}`),
    );

    expect(climbing).toEqual([]);
  });

  test('every permission of the table is used', () => {
    const used = new Set(
      [...readSources()].flatMap(([from, all]) =>
        all.map(({ to }) => `${moduleOf(from)} → ${moduleOf(to)}`),
      ),
    );
    const unused = Object.entries(MAY_IMPORT).flatMap(([module, allowed]) =>
      allowed.map((one) => `${module} → ${one}`).filter((pair) => !used.has(pair)),
    );

    expect(unused).toEqual([]);
  });

  test('the engines of the store do not know each other, nor does what they share know them', () => {
    const imports = [...readSources().values()].flat();
    const wrong = [
      ...importsOf('store/store.ts', "import type { A } from './embedded/a.js';"),
      ...importsOf('store/postgres/b.ts', "import { a } from '../embedded/a.js';"),
      ...importsOf('store/tables/c.ts', "import { b } from '../postgres/b.js';"),
    ];
    const folders = new Set(
      [...readSources().keys()]
        .map((file) => posix.dirname(file))
        .filter((one) => moduleOf(one) === 'store'),
    );

    expect(wrong.filter(roomComplaint)).toHaveLength(3);
    expect(new Set(Object.keys(KEPT_APART)), 'every folder of the store is in the table').toEqual(
      folders,
    );
    expect(imports.flatMap((one) => roomComplaint(one) ?? [])).toEqual([]);
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
    const loaded = [...loadedBy(readSources(), 'cli/serve/serve.ts')];
    const packages = loaded.filter((one) => !/^node:|\.[jt]s$/.test(one));
    const modules = new Set(loaded.filter((one) => one.endsWith('.js')).map(moduleOf));

    expect(loaded.length, 'the scan followed nothing: it is blind').toBeGreaterThan(10);
    expect(packages).toEqual([]);
    expect([...modules].toSorted()).toEqual(['app', 'cli', 'config', 'core', 'daemon', 'rpc']);
  });
});
