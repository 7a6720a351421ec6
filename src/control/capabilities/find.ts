import { type Capability, nearestNames, PmlError } from '../../core/index.js';
import type { Store } from '../../store/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { Workflows } from '../../workflows/index.js';

export interface CapableDaemon {
  readonly workflows: Workflows;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

/** What is stored is known only once the store is open. */
export async function ready(daemon: CapableDaemon): Promise<ToolDirectory> {
  await daemon.store();
  return daemon.workflows.tools;
}

/** `cap:name` means the same as `name`. */
export function find({ capabilities }: ToolDirectory, wanted: string): Capability {
  const name = wanted.replace(/^cap:/, '');
  const capability = capabilities.get(name);
  if (capability) return capability;
  const known = capabilities.list().map((one) => one.name);
  const near = nearestNames(name, known, 3);
  const hint = near.length > 0 ? ` The nearest: ${near.join(', ')}` : ' There are none yet';
  throw new PmlError('TOOL_UNKNOWN', `There is no capability ${JSON.stringify(name)}.${hint}`);
}
