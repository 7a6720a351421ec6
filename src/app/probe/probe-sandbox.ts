import type { SandboxProtections } from '../../control/index.js';

let probed: Promise<SandboxProtections> | undefined;

/** What holds scripts on this machine, found out once by trying; nothing stays running. */
export function probeSandbox(): Promise<SandboxProtections> {
  probed ??= import('../../sandbox/index.js').then(({ findProtections }) => findProtections());
  return probed;
}
