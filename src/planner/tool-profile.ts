import { parseToolId } from '../core/index.js';
import { nameWords, textWords } from './name-words.js';
import type { PlannableTool } from './plannable-tool.js';
import { type Field, inputParameters, outputFields, type Parameter } from './schema-fields.js';
import { kindsOf } from './word-kinds.js';

/** A field with everything that comparing it needs, worked out once. */
export interface Slot<Of extends Field = Field> {
  readonly field: Of;
  /** Words of its own name. */
  readonly words: readonly string[];
  /** Words of the names around it, and of what the tool is about. */
  readonly context: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  /** Words of its description. */
  readonly described: ReadonlySet<string>;
  /** Its description as plain words. */
  readonly plain: string;
  /** What the meaning of is compared: its name with its description. */
  readonly text: string;
}

export interface OutputSlot extends Slot {
  /** What the tool is there to give: its only output, or the one named as the tool is. */
  readonly isMain: boolean;
  /** Whether the tool takes the same value, and cannot do without. */
  readonly echo: 'none' | 'optional' | 'needed';
}

export interface ToolProfile {
  readonly tool: PlannableTool;
  /** What it is about: the words of its name without those for doing. */
  readonly subject: ReadonlySet<string>;
  /** Words of its name. */
  readonly spelled: string;
  /** Each two words of its name in a row. */
  readonly phrases: readonly string[];
  /** From 0, finds out, over 1, makes, to 2, changes or passes on; undefined when the name does not say. */
  readonly stage: number | undefined;
  readonly parameters: readonly Slot<Parameter>[];
  /** Undefined when nothing is known of its results. */
  readonly outputs: readonly OutputSlot[] | undefined;
  /** Text of the description, lower case, with single spaces around words. */
  readonly description: string;
}

const STAGES: readonly string[] = [
  'get find search list lookup look fetch read query check retrieve show view discover browse describe load download detect identify',
  'create generate make compute calculate convert translate analyze summarize extract parse add transform build',
  'send update delete remove reserve book buy order play post publish write save set share cancel schedule pay submit notify upload move rent request apply',
];
const STAGE_OF = new Map(
  STAGES.flatMap((words, stage) => words.split(' ').map((word) => [word, stage] as const)),
);
const DOING = new Set([...STAGE_OF.keys(), 'by', 'for', 'of', 'from', 'to', 'in', 'the', 'and']);

export function profileTool(tool: PlannableTool): ToolProfile {
  const words = nameWords(parseToolId(tool.id).tool);
  const subject = new Set(words.filter((word) => !DOING.has(word)));
  const parameters = inputParameters(tool.inputSchema).map((field) => slotOf(field, subject));
  return {
    tool,
    subject,
    spelled: ` ${words.join(' ')} `,
    phrases: words.slice(1).map((word, place) => ` ${words[place]} ${word} `),
    stage: words.map((word) => STAGE_OF.get(word)).find((stage) => stage !== undefined),
    parameters,
    outputs: tool.output && outputSlots(outputFields(tool.output.schema), { subject, parameters }),
    description: plainText(tool.description ?? ''),
  };
}

interface OutputContext {
  readonly subject: ReadonlySet<string>;
  readonly parameters: readonly Slot<Parameter>[];
}

function outputSlots(
  fields: readonly Field[],
  { subject, parameters }: OutputContext,
): readonly OutputSlot[] {
  const given = new Map(
    parameters.map(({ words, field }) => [
      words.join(' '),
      field.isRequired ? ('needed' as const) : ('optional' as const),
    ]),
  );
  const isSole = fields.filter(({ names }) => names.length === 1).length === 1;
  return fields.map((field) => {
    const slot = slotOf(field, subject);
    const isNamedAsTool = slot.words.length > 0 && slot.words.every((word) => subject.has(word));
    return {
      ...slot,
      isMain: field.names.length <= 1 && (isSole || isNamedAsTool),
      echo: given.get(slot.words.join(' ')) ?? 'none',
    };
  });
}

function slotOf<Of extends Field>(field: Of, subject: ReadonlySet<string>): Slot<Of> {
  const name = field.names.at(-1);
  // A value as a whole is what its tool is about.
  const words = name === undefined ? [...subject] : nameWords(name);
  const around = field.names.slice(0, -1).flatMap(nameWords);
  return {
    field,
    words,
    context: new Set([...around, ...subject]),
    kinds: kindsOf([...words, ...nameWords(field.format)]),
    described: textWords(field.description),
    plain: plainText(field.description),
    text: `${words.join(' ')}: ${field.description}`,
  };
}

export function plainText(text: string): string {
  return ` ${nameWords(text).join(' ')} `;
}
