/** What a command loads before it does anything. Counted in files: time on a busy machine says little. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('..', import.meta.url));
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g;

const texts = new Map(
  readdirSync(SRC, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(SRC, file), 'utf8')]),
);

/** A file with all that it imports at once; what it imports later, or for types alone, does not count. */
function loadedBy(files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, type, to = ''] of (texts.get(file) ?? '').matchAll(IMPORT)) {
      if (type !== undefined || to.startsWith('node:')) continue;
      load(to.startsWith('.') ? posix.join(posix.dirname(file), to).replace(/js$/, 'ts') : to);
    }
  };
  files.forEach(load);
  return loaded;
}

const packagesOf = (loaded: ReadonlySet<string>) =>
  [...loaded].filter((one) => !one.endsWith('.ts')).toSorted();

// covers: CLI-QUICK
describe('start of a command', () => {
  test.each([
    ['pml version', 'cli/help/version-text.ts'],
    ['pml --help', 'cli/help/overview.ts'],
  ])('%s loads a handful of files and no package', (_, file) => {
    const loaded = loadedBy(['pml.ts', 'cli.ts', file]);

    expect(loaded.size).toBeGreaterThan(3);
    expect(loaded.size).toBeLessThanOrEqual(11);
    expect(packagesOf(loaded)).toEqual([]);
  });

  /** Each with all that its command loads before it asks the daemon. */
  test.each([
    ['status', 'cli/serve/status.ts'],
    ['tools', 'cli/tools/tools.ts'],
    ['search', 'cli/tools/search.ts'],
    ['call', 'cli/tools/call.ts'],
    ['list', 'cli/tools/list.ts'],
    ['result', 'cli/tools/result.ts'],
    ['runs', 'cli/runs/runs.ts'],
    ['show', 'cli/runs/show.ts'],
    ['watch', 'cli/runs/watch.ts'],
    ['capabilities', 'cli/capabilities/capabilities.ts'],
    ['explain', 'cli/learned/explain.ts'],
    ['metrics', 'cli/learned/metrics.ts'],
    ['graph', 'cli/learned/graph.ts'],
    ['forget', 'cli/learned/forget.ts'],
    ['init', 'cli/init/init.ts'],
    ['doctor', 'cli/doctor/doctor.ts'],
    ['service', 'cli/service/service.ts'],
    ['completion', 'cli/complete/completion.ts'],
  ])('pml %s loads no heavy part of PML', (_, file) => {
    const loaded = loadedBy(['pml.ts', 'cli/program.ts', file]);

    expect(texts.has(file)).toBe(true);
    expect(packagesOf(loaded).filter((one) => !['commander', 'picocolors'].includes(one))).toEqual(
      [],
    );
    expect(loaded.size).toBeLessThanOrEqual(65);
  });
});
