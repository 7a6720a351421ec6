import type { ImportPlan, ReadFile } from '../../clients/index.js';
import type { JsonObject } from '../../core/index.js';
import type { InitPlan } from './plan.js';
import { commandLine } from './print.js';

export type Outcome = 'done' | 'nothing-to-do' | 'dry-run' | 'declined';

interface Findings {
  readonly plan: InitPlan;
  readonly imported: ImportPlan;
  readonly files: readonly ReadFile[];
}

/** What `pml init --json` prints. Values of `env` and `headers` are not in it. */
export function report(status: Outcome, { plan, imported, files }: Findings): JsonObject {
  const left = imported.servers.filter((server) => !plan.servers.includes(server));
  const listed = (servers: ImportPlan['servers']) =>
    servers.map(({ name, entry, sources, notes }) => ({
      name,
      command: commandLine(entry),
      enabled: entry['enabled'] !== false,
      sources: sources.map((source) => ({ ...source })),
      notes,
    }));
  return {
    status,
    config: plan.target.path,
    servers: listed(plan.servers),
    known: listed(imported.known),
    untrusted: listed(left),
    broken: imported.broken.map((item) => ({ ...item })),
    skipped: imported.skipped.map((item) => ({ ...item })),
    unreadable: files.flatMap(({ state }) => (state.status === 'unreadable' ? [state.reason] : [])),
    rewritten: plan.rewrites.map(({ file: { client, path: changed } }) => ({
      client,
      path: changed,
    })),
  };
}
