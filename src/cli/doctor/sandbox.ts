/** Judges and describes what holds scripts besides their engine. Pure. */
import type { SandboxProtections } from '../../control/index.js';
import { type Finding, ok, warn } from './finding.js';

export function judgeSandbox(protections: SandboxProtections, platform: string): Finding {
  const words = describeProtections(protections);
  const { bubblewrap, nodePermissions, nodeNetwork } = protections;
  const isHeld = bubblewrap || (nodePermissions && nodeNetwork && platform !== 'linux');
  if (isHeld) return ok('sandbox', words);
  return warn('sandbox', words, adviceFor(protections, platform));
}

/** One line: what there is, and what that does not cover. */
export function describeProtections(protections: SandboxProtections): string {
  const { nodePermissions, nodeNetwork, bubblewrap, withoutBubblewrap, isWatched } = protections;
  const walls = [
    'an engine without files or network',
    ...(nodePermissions ? [`Node's permissions${nodeNetwork ? ', network included' : ''}`] : []),
    ...(bubblewrap ? ['bubblewrap'] : []),
    ...(isWatched ? ['a watch on memory and time'] : []),
  ];
  const held = `scripts are held by ${walls.join('; ')}`;
  if (bubblewrap) return held;
  const network = nodeNetwork ? '' : ': only the engine keeps them from the network';
  return `${held}. No bubblewrap (${withoutBubblewrap ?? 'unknown'})${network}`;
}

function adviceFor({ withoutBubblewrap = '' }: SandboxProtections, platform: string): string {
  if (platform !== 'linux') {
    return 'Node 25 or newer keeps the network from the processes of scripts, too.';
  }
  if (withoutBubblewrap.includes('not installed')) {
    return 'Install bubblewrap: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap.';
  }
  return 'Let bubblewrap make user namespaces: on Ubuntu an AppArmor profile for /usr/bin/bwrap, or sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container, allow them.';
}
