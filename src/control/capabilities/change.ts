import { type Capability, unreachable } from '../../core/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { ControlResult } from '../contract.js';
import type { CapabilityChange } from '../contract/capabilities.js';
import { type CapableDaemon, find, ready } from './find.js';
import { detailsOf } from './show.js';

/** Does what `action` says, and answers when that is stored. */
export async function changeCapability(
  daemon: CapableDaemon,
  wanted: CapabilityChange,
): Promise<ControlResult<'capability-change'>> {
  const tools = await ready(daemon);
  const { name } = find(tools, wanted.name);
  const changed = change(tools, name, wanted);
  await tools.capabilities.settled();
  return changed ? detailsOf(tools, changed.name) : { deleted: name };
}

/** The capability as it is afterwards; nothing if it is gone. */
function change(
  tools: ToolDirectory,
  name: string,
  wanted: CapabilityChange,
): Capability | undefined {
  const { capabilities } = tools;
  switch (wanted.action) {
    case 'rename':
      return capabilities.rename(name, wanted.to);
    case 'merge':
      return capabilities.merge(name, find(tools, wanted.into).name);
    case 'pin':
      return capabilities.pin(name, true);
    case 'unpin':
      return capabilities.pin(name, false);
    case 'restore':
      return capabilities.restore(name, wanted.version);
    case 'disable': {
      const { reason, force: isForced = false } = wanted;
      return capabilities.disable(name, { isForced, ...(reason && { reason }) });
    }
    case 'enable':
      return capabilities.enable(name, (tool) => tools.lockedDefinition(tool));
    case 'delete':
      capabilities.remove(name, { isForced: wanted.force ?? false });
      return undefined;
    default:
      return unreachable(wanted);
  }
}
