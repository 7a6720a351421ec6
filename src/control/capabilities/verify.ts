import type { Capability } from '../../core/index.js';
import { verifyCapability } from '../../workflows/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type { VerifiedCapability } from '../contract/capabilities.js';
import { type CapableDaemon, find, ready } from './find.js';

/** One, all in quarantine, or all. One after the other: they may call the same servers. */
export async function verifyCapabilities(
  daemon: CapableDaemon,
  { name, all = false, args }: ControlParams<'capabilities-verify'>,
): Promise<ControlResult<'capabilities-verify'>> {
  const tools = await ready(daemon);
  const wanted =
    name === undefined
      ? tools.capabilities.list().filter((one) => all || isQuarantined(one))
      : [find(tools, name)];
  const names = wanted.map((one) => one.name).toSorted();
  const verified: VerifiedCapability[] = [];
  for (const one of names) {
    verified.push({
      name: one,
      ...(await verifyCapability(daemon.workflows, one, args && { args })),
    });
  }
  await tools.capabilities.settled();
  return { verified };
}

function isQuarantined({ state }: Capability): boolean {
  return state.status === 'quarantined';
}
