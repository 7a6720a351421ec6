import pc from 'picocolors';

import type { Environment } from '../../config/find.js';
import type { JsonObject } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { commandLine, describeEntry } from '../init/print.js';
import type { PlannedServer } from './plan-add.js';
import type { Trial } from './try-server.js';

const SHOWN_TOOLS = 12;

/** What would be started, with what, for the user to decide. */
export function describePlan(planned: PlannedServer, env: Environment): string[] {
  const { name, entry, about } = planned;
  return [
    `${pc.green('  + ')}${pc.bold(name)}`,
    ...(about ? [pc.dim(`      ${visible(about.name)}: ${visible(about.description ?? '')}`)] : []),
    ...(about?.repository?.url ? [pc.dim(`      ${visible(about.repository.url)}`)] : []),
    // References are shown, and values that the user gave.
    ...describeEntry(entry, 'plain'),
    ...describePin(planned),
    ...planned.references.map((one) =>
      env[one]
        ? `      takes ${one} from the environment`
        : pc.yellow(`      needs ${one}: ${UNSET}`),
    ),
  ];
}

const UNSET = 'set it where your client starts';

function describePin({ isPackage, pin }: PlannedServer): readonly string[] {
  if (!isPackage) return [];
  if (pin !== undefined) return [`      version ${visible(pin)}, always`];
  return [pc.yellow('      no version is pinned: every start may bring a new one')];
}

export function describeTrial(name: string, trial: Trial): string[] {
  if (!trial.works) return [pc.red(`${name} does not work yet: ${visible(trial.reason)}`)];
  const { tools } = trial;
  const named = tools.slice(0, SHOWN_TOOLS).map(visible).join(', ');
  const more = tools.length > SHOWN_TOOLS ? ', …' : '';
  const many = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  return [pc.green(`${name} works: ${many}${tools.length > 0 ? ` (${named}${more})` : ''}`)];
}

export type AddStatus = 'added' | 'exists' | 'dry-run' | 'declined';

/** What `pml add --json` prints. Values of `env` and `headers` are not in it. */
export function reportAdd(
  status: AddStatus,
  { config, planned, trial }: { config: string; planned: PlannedServer; trial: Trial | undefined },
): JsonObject {
  const { name, entry, about, pin, references } = planned;
  return {
    status,
    config,
    name,
    command: commandLine(entry),
    env: Object.keys((entry['env'] ?? {}) as JsonObject),
    headers: Object.keys((entry['headers'] ?? {}) as JsonObject),
    references: [...references],
    ...(about && { from: about.name }),
    ...(pin !== undefined && { version: pin }),
    ...(trial && { trial: { ...trial } }),
  };
}
