/** Capabilities as Skills over MCP, the extension `io.modelcontextprotocol/skills`. */
import { createHash } from 'node:crypto';

import { skillNames, type WrittenSkill, writeSkill } from '../../capabilities/index.js';
import type { Capability, JsonObject } from '../../core/index.js';
import { capabilityEffects, type CapableTools, isCapabilityWithin } from '../../tools/index.js';
import { toolNameOf } from './exposed-capabilities.js';

/** No server can be called `pml`, so none of its skills is mistaken for one of ours. */
export const SKILL_URI = 'skill://pml/';
const MIME_TYPE = 'text/markdown';

/** The current skills, in order of their names. */
export class Skills {
  /** As `skills/list` has them. */
  readonly entries: readonly JsonObject[];
  /** As `resources/list` has them. */
  readonly resources: readonly JsonObject[];
  readonly #texts: ReadonlyMap<string, string>;

  constructor(skills: readonly WrittenSkill[]) {
    const sorted = skills.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    this.entries = sorted.map(entryOf);
    this.resources = sorted.map(resourceOf);
    this.#texts = new Map(sorted.map((skill) => [uriOf(skill), skill.text]));
  }

  entry(uri: string): JsonObject | undefined {
    return this.entries.find((one) => one['uri'] === uri);
  }

  read(uri: string): JsonObject | undefined {
    const text = this.#texts.get(uri);
    return text === undefined ? undefined : { contents: [{ uri, mimeType: MIME_TYPE, text }] };
  }
}

/** The capabilities a search would offer to an agent, as far as the agent can run them. */
export function servedSkills(tools: CapableTools): Skills {
  const { skills, mode } = tools.settings.exposure;
  if (!skills) return new Skills([]);
  const names = skillNames(tools.capabilities.list().map(({ name }) => name));
  const served = tools.capabilities
    .shown()
    .filter((one) => isCapabilityWithin(tools, one))
    .filter((one) => mode !== 'proxy' || toolNameOf(tools, one) !== undefined)
    .map((one) => skillOf(tools, one, { names, hasMetaTools: mode !== 'proxy' }));
  return new Skills(served);
}

/** One or all that are offered, as folders for agents that read Skills from disk. */
export function exportedSkills(
  tools: CapableTools,
  capability: Capability | undefined,
): readonly WrittenSkill[] {
  const { capabilities, settings } = tools;
  const names = skillNames(capabilities.list().map(({ name }) => name));
  const hasMetaTools = settings.exposure.mode !== 'proxy';
  return (capability ? [capability] : capabilities.shown()).map((one) => {
    // A user who exports a skill that cannot run here will run it elsewhere.
    const canRun = hasMetaTools || toolNameOf(tools, one) !== undefined;
    return skillOf(tools, one, { names, hasMetaTools: hasMetaTools || !canRun });
  });
}

function skillOf(
  tools: CapableTools,
  capability: Capability,
  {
    names,
    hasMetaTools,
  }: { readonly names: ReadonlyMap<string, string>; readonly hasMetaTools: boolean },
): WrittenSkill {
  const { tools: reached, isReadOnly } = capabilityEffects(tools, capability);
  return writeSkill(capability, {
    name: names.get(capability.name)!,
    tools: reached,
    isReadOnly,
    tool: toolNameOf(tools, capability),
    hasMetaTools,
  });
}

function uriOf({ name }: WrittenSkill): string {
  return `${SKILL_URI}${name}/SKILL.md`;
}

function entryOf(skill: WrittenSkill): JsonObject {
  const { frontmatter, text } = skill;
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const uri = uriOf(skill);
  return { uri, frontmatter, resources: [{ uri, digest, size: Buffer.byteLength(text) }] };
}

function resourceOf(skill: WrittenSkill): JsonObject {
  const { name, frontmatter, text } = skill;
  return {
    uri: uriOf(skill),
    name,
    description: frontmatter['description']!,
    mimeType: MIME_TYPE,
    size: Buffer.byteLength(text),
  };
}
