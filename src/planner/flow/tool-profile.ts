import { parseToolId } from '../../core/index.js';
import {
  type SchemaField,
  inputParameters,
  outputFields,
  type ToolParameter,
  type TypeBits,
  typeBitsOf,
} from '../../schema/index.js';
import { nameWords, textWords, wordWeight, kindsOf } from '../../words/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import { logOddsOf, type BindingSignals } from './score-binding.js';

/** A field with everything that comparing it needs, worked out once. */
export interface Slot<Of extends SchemaField = SchemaField> {
  readonly field: Of;
  /** Words of its own name. */
  readonly words: readonly string[];
  /** The same as one text. */
  readonly spelled: string;
  /** Bits of the words; without a common bit two slots have no common word. */
  readonly wordBits: number;
  /** Words of the names around it, and of what the tool is about. */
  readonly context: ReadonlySet<string>;
  readonly kinds: number;
  readonly types: TypeBits;
  /** Words of its description. */
  readonly described: () => ReadonlySet<string>;
  /** What the meaning of is compared: its name with its description. */
  readonly text: string;
  /** What speaks for or against it whatever it is compared with, and how much. */
  readonly own: Partial<BindingSignals>;
  readonly ownLogOdds: number;
}

export interface ParameterSlot extends Slot<ToolParameter> {
  /** The words a source should have, each with its weight, and the weights' sum. */
  readonly wanted: ReadonlyMap<string, number>;
  readonly wantedWeight: number;
  /** Its description as plain words. */
  readonly plain: string;
}

/** What the fields of a result have between them. */
export interface Reach {
  readonly words: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
  readonly kinds: number;
  /** Of the best of them. */
  readonly ownLogOdds: number;
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
  readonly parameters: readonly ParameterSlot[];
  /** What it gives. Where nothing is known of its results, one that stands for all of them. */
  readonly outputs: readonly Slot[];
  readonly reach: Reach;
  /** The outputs to look at first, whatever the parameter. */
  readonly leads: readonly Slot[];
  /** Outputs by the words that tell them apart; of a bare `id` those around it. */
  readonly byWord: ReadonlyMap<string, readonly Slot[]>;
  /** Its description as plain words. */
  readonly plain: string;
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

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Parameters that tune a call rather than being about something. */
const SETTINGS = wordSet(
  'limit offset page size sort order language locale format unit max min maximum minimum cursor filter fields include exclude pagination region timezone',
);
/** Parameters that whoever asks types in. */
const QUERIES = wordSet('query keyword term search question prompt');
/** Parameters nobody knows by heart. */
const HANDLES = wordSet('id key token handle symbol ticker slug');
/** Fields that tell how the call went rather than what it found. */
const REPORTS = wordSet('status success error code message state');

/** Enough for the outputs that fit by what they are rather than by their name. */
const LEADS = 4;

/** A tool is in many plans; what it was worked out to be is kept as long as the tool itself. */
const KNOWN = new WeakMap<PlannableTool, ToolProfile>();

export function profileTool(tool: PlannableTool): ToolProfile {
  const known = KNOWN.get(tool);
  if (known) return known;
  const profile = makeProfile(tool);
  KNOWN.set(tool, profile);
  return profile;
}

/** The texts of a tool whose nearness in meaning is asked for when it is in a plan. */
export function comparedTexts(tool: PlannableTool): readonly string[] {
  const { parameters, outputs } = profileTool(tool);
  return [...new Set([...parameters, ...outputs].map(({ text }) => text))];
}

function makeProfile(tool: PlannableTool): ToolProfile {
  const words = nameWords(parseToolId(tool.id).tool);
  const subject = new Set(words.filter((word) => !DOING.has(word)));
  const parameters = inputParameters(tool.inputSchema).map((field) =>
    parameterSlot(field, subject),
  );
  const outputs = tool.output
    ? outputSlots(tool.output, { subject, parameters })
    : [unseenOutput(tool, subject)];
  return {
    tool,
    subject,
    spelled: ` ${words.join(' ')} `,
    phrases: words.slice(1).map((word, place) => ` ${words[place]} ${word} `),
    stage: words.map((word) => STAGE_OF.get(word)).find((stage) => stage !== undefined),
    parameters,
    outputs,
    reach: reachOf(outputs),
    leads: outputs.toSorted((a, b) => b.ownLogOdds - a.ownLogOdds).slice(0, LEADS),
    byWord: indexByWord(outputs),
    plain: plainText(tool.description ?? ''),
  };
}

function indexByWord(outputs: readonly Slot[]): ReadonlyMap<string, readonly Slot[]> {
  const index = new Map<string, Slot[]>();
  for (const slot of outputs) {
    const telling = slot.words.filter((word) => wordWeight(word) === 1);
    for (const word of telling.length > 0 ? telling : slot.context) {
      const slots = index.get(word);
      if (slots) slots.push(slot);
      else index.set(word, [slot]);
    }
  }
  return index;
}

function reachOf(outputs: readonly Slot[]): Reach {
  return {
    words: new Set(outputs.flatMap(({ words }) => words)),
    context: new Set(outputs.flatMap(({ context }) => [...context])),
    kinds: outputs.reduce((all, { kinds }) => all | kinds, 0),
    ownLogOdds: outputs.reduce((most, { ownLogOdds }) => Math.max(most, ownLogOdds), -Infinity),
  };
}

interface OutputContext {
  readonly subject: ReadonlySet<string>;
  readonly parameters: readonly Slot<ToolParameter>[];
}

function outputSlots(
  { schema, source }: NonNullable<PlannableTool['output']>,
  { subject, parameters }: OutputContext,
): readonly Slot[] {
  const fields = outputFields(schema);
  const given = new Map(parameters.map(({ spelled, field }) => [spelled, field.isRequired]));
  const isSole = fields.filter(({ names }) => names.length === 1).length === 1;
  return fields.map((field) => {
    const words = ownWords(field, subject);
    const isNamedAsTool = words.length > 0 && words.every((word) => subject.has(word));
    const isNeeded = given.get(words.join(' '));
    return slotOf(field, subject, {
      main: Number(field.names.length <= 1 && (isSole || isNamedAsTool)),
      report: Number(words.every((word) => REPORTS.has(word))),
      depth: Math.max(0, field.names.length - 1) / 4,
      echo: Number(isNeeded !== undefined),
      neededEcho: Number(isNeeded === true),
      observed: Number(source === 'observed'),
    });
  });
}

/** Stands for a result nobody has seen: all that is known is what the tool is about. */
function unseenOutput(tool: PlannableTool, subject: ReadonlySet<string>): Slot {
  const description = tool.description ?? '';
  const unknown = { types: [], itemTypes: [], format: '', choices: [] };
  return slotOf({ path: '', names: [], ...unknown, description }, subject, { main: 1, unseen: 1 });
}

function parameterSlot(field: ToolParameter, subject: ReadonlySet<string>): ParameterSlot {
  const words = ownWords(field, subject);
  const has = (known: ReadonlySet<string>) => Number(words.some((word) => known.has(word)));
  const slot = slotOf(field, subject, {
    setting: has(SETTINGS),
    required: Number(field.isRequired),
    query: has(QUERIES),
    handle: has(HANDLES),
  });
  // A bare `id` or `name` means that of what its tool is about.
  const isBare = words.every((word) => wordWeight(word) < 1);
  const wanted = new Map(
    [...words, ...(isBare ? slot.context : [])].map((word) => [word, wordWeight(word)]),
  );
  const wantedWeight = [...wanted.values()].reduce((sum, weight) => sum + weight, 0);
  return {
    ...slot,
    wanted,
    wantedWeight,
    wordBits: bitsOf(wanted.keys()),
    plain: plainText(field.description),
  };
}

function slotOf<Of extends SchemaField>(
  field: Of,
  subject: ReadonlySet<string>,
  own: Partial<BindingSignals>,
): Slot<Of> {
  const words = ownWords(field, subject);
  const around = field.names.slice(0, -1).flatMap(nameWords);
  let described: ReadonlySet<string> | undefined;
  return {
    field,
    words,
    spelled: words.join(' '),
    wordBits: bitsOf(words),
    context: around.length === 0 ? subject : new Set([...around, ...subject]),
    kinds: kindsOf(words) | kindsOf(nameWords(field.format)),
    types: typeBitsOf(field),
    described: () => (described ??= textWords(field.description)),
    text: `${words.join(' ')}: ${field.description}`,
    own,
    ownLogOdds: logOddsOf(own),
  };
}

/** A value as a whole is what its tool is about. */
function ownWords({ names }: SchemaField, subject: ReadonlySet<string>): readonly string[] {
  const name = names.at(-1);
  return name === undefined ? [...subject] : nameWords(name);
}

function bitsOf(words: Iterable<string>): number {
  let bits = 0;
  for (const word of words) {
    let hash = 0;
    for (let at = 0; at < word.length; at++) hash = (hash * 31 + word.charCodeAt(at)) | 0;
    bits |= 1 << (hash & 31);
  }
  return bits;
}

function plainText(text: string): string {
  return ` ${nameWords(text).join(' ')} `;
}
