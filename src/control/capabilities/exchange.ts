import type { CapabilityFile } from '../../capabilities/index.js';
import { exportedSkills } from '../../gateway/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type { ImportedCapabilities } from '../contract/capabilities.js';
import { type CapableDaemon, find, ready } from './find.js';

export async function exportCapabilities(
  daemon: CapableDaemon,
  { name }: ControlParams<'capabilities-export'>,
): Promise<CapabilityFile> {
  const tools = await ready(daemon);
  return tools.capabilities.export(name === undefined ? undefined : find(tools, name).name);
}

/** One, or all that are offered, each as the text of a SKILL.md. */
export async function exportSkills(
  daemon: CapableDaemon,
  { name }: ControlParams<'capabilities-skills'>,
): Promise<ControlResult<'capabilities-skills'>> {
  const tools = await ready(daemon);
  const skills = exportedSkills(tools, name === undefined ? undefined : find(tools, name));
  return { skills: skills.map((skill) => ({ name: skill.name, text: skill.text })) };
}

export async function importCapabilities(
  daemon: CapableDaemon,
  { file }: ControlParams<'capabilities-import'>,
): Promise<ImportedCapabilities> {
  const { capabilities } = await ready(daemon);
  const outcomes = capabilities.import(file);
  await capabilities.settled();
  const { store } = await daemon.store();
  return { outcomes, isStored: store !== undefined };
}
