/**
 * A capability as an Agent Skill: a folder with one file, SKILL.md. What changes from use to use
 * (statistics, intents) is not in it: a host binds the user's consent to the bytes.
 */
import {
  asText,
  type Capability,
  isJsonObject,
  type JsonObject,
  type ToolId,
} from '../../core/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';
import { signatureOf } from '../signature-of.js';
import { stepsOf } from './steps-of.js';

const MOST_DESCRIPTION_CHARACTERS = 1_024;

export interface SkillOptions {
  /** What the skill is called. */
  readonly name: string;
  /** Of itself and of all it calls. */
  readonly tools: readonly ToolId[];
  readonly isReadOnly: boolean;
  /** The tool it is listed as, if it is one. */
  readonly tool?: string | undefined;
  /** Whether agents have `pml_execute_workflow` and `pml_execute_code`. */
  readonly hasMetaTools: boolean;
}

export interface WrittenSkill {
  readonly name: string;
  readonly frontmatter: JsonObject;
  /** All of SKILL.md. */
  readonly text: string;
}

export function writeSkill(capability: Capability, options: SkillOptions): WrittenSkill {
  const frontmatter = frontmatterOf(capability, options.name);
  const body = [
    `# ${line(capability.name)}`,
    whenToUse(capability, options),
    howToRun(capability, options),
    parameters(capability),
    steps(capability),
    section('Code', fenced(capability.current.code.trim(), 'ts')),
  ].join('\n\n');
  // What is no text in UTF-8 would not survive being sent, and its digest with it.
  const text = Buffer.from(`${yamlOf(frontmatter)}\n\n${body}\n`).toString();
  return { name: options.name, frontmatter, text };
}

function frontmatterOf({ name, description }: Capability, skill: string): JsonObject {
  const what = line(description) || line(name);
  return {
    name: skill,
    description: cut(`${what.replace(/\.$/, '')}. Runs as the PML capability ${name}.`),
    compatibility: 'Needs the MCP server PML.',
    metadata: { 'pml-capability': name },
  };
}

/** JSON is YAML: every value stands in quotes that hide nothing. */
function yamlOf(frontmatter: JsonObject): string {
  const lines = Object.entries(frontmatter).flatMap(([key, value]) =>
    isJsonObject(value)
      ? [
          `${key}:`,
          ...Object.entries(value).map(([name, one]) => `  ${name}: ${JSON.stringify(one)}`),
        ]
      : [`${key}: ${JSON.stringify(value)}`],
  );
  return ['---', ...lines, '---'].join('\n');
}

function whenToUse(
  { description, current }: Capability,
  { tools, isReadOnly }: SkillOptions,
): string {
  const effect = isReadOnly
    ? 'It only reads.'
    : 'It may change things; PML stops and asks before calls that are risky.';
  const called = tools.map((tool) => `\`${tool}\``).join(', ');
  const contained = current.contains.map((name) => `\`cap.${name}\``).join(', ');
  return section(
    'When to use',
    [
      `When this is wanted: ${line(description)}`,
      `This code has worked before; it calls ${called || 'no tool'}${contained && `, by way of ${contained}`}. ${effect} Prefer it to calling these tools one by one.`,
    ].join('\n\n'),
  );
}

function howToRun(capability: Capability, { tool, hasMetaTools }: SkillOptions): string {
  const { name, current } = capability;
  const args = sampleArgs(current.parameters);
  const ways = [
    ...(tool === undefined ? [] : [`- Call the tool \`${tool}\` with the parameters below.`]),
    ...(hasMetaTools
      ? [
          `- Or call \`pml_execute_workflow\` with \`${JSON.stringify({ capability: name, args })}\`.`,
          `- Or, within code for \`pml_execute_code\`: \`await ${signatureOf(capability)}\`.`,
        ]
      : []),
  ];
  const [first = '', ...others] = ways;
  const text = [first.replace(/^- Or call/, '- Call'), ...others].join('\n');
  return section(
    'How to run',
    `${text}\n\nIf the answer asks for an approval, ask the user, then answer with \`pml_continue\`.`,
  );
}

function parameters({ current }: Capability): string {
  const properties = Object.entries(propertiesOf(current.parameters));
  if (properties.length === 0) return section('Parameters', 'None.');
  const required = new Set(requiredOf(current.parameters));
  const rows = properties.map(([name, schema]) => {
    const { type, default: preset, description } = isJsonObject(schema) ? schema : {};
    const kind = Array.isArray(type) ? type.map(asText).join(' or ') : asText(type) || 'any';
    const given = preset === undefined ? '' : `\`${JSON.stringify(preset)}\``;
    const shown = required.has(name) ? 'required' : given;
    return `| ${[name, kind, shown, asText(description)].map(cell).join(' | ')} |`;
  });
  const head = '| name | type | default | meaning |\n|---|---|---|---|';
  return section('Parameters', [head, ...rows].join('\n'));
}

function steps(capability: Capability): string {
  return section('Steps', fenced(stepsOf(capability).join('\n'), 'text'));
}

/** What has to be given, and nothing else. */
function sampleArgs(schema: JsonObject): JsonObject {
  return Object.fromEntries(requiredOf(schema).map((name) => [name, '…']));
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`;
}

/** A fence longer than any in the text ends where it should. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** One line without signs that YAML or a terminal would take for something else. */
function line(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function cell(text: string): string {
  return line(text).replaceAll('|', String.raw`\|`);
}

function cut(text: string): string {
  if (text.length <= MOST_DESCRIPTION_CHARACTERS) return text;
  return `${line(text.slice(0, MOST_DESCRIPTION_CHARACTERS - 1))}…`;
}
