import { parseToolId } from '../../core/index.js';
import {
  type SchemaField,
  inputParameters,
  outputFields,
  type ToolParameter,
  type TypeBits,
  typeBitsOf,
} from '../../schema/index.js';
import {
  kindsOf,
  nameWords,
  STAGE_OF_VERB,
  textWords,
  TRANSFORMING_VERBS,
  wordSet,
  wordWeight,
} from '../../words/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import { type Identity, identityOf } from './identity.js';
import { logOddsOf, type BindingSignals } from './score-binding.js';

/** A field with everything that comparisons need, computed once. */
export interface Slot<Of extends SchemaField = SchemaField> {
  readonly field: Of;
  /** Words of its own name. */
  readonly words: readonly string[];
  /** The same as one text. */
  readonly spelled: string;
  /** Bits of the words; without a common bit two slots have no common word. */
  readonly wordBits: number;
  /** Words of the names around it, and of the subject of the tool. */
  readonly context: ReadonlySet<string>;
  readonly kinds: number;
  /** The kinds that the end of its name shows: a `pickup_location` is a location. */
  readonly head: number;
  /** Set if the field is an id. */
  readonly identity: Identity | undefined;
  readonly types: TypeBits;
  /** Words of its description. */
  readonly described: () => ReadonlySet<string>;
  /** The text that the model compares: the name with the description. */
  readonly text: string;
  /** The signals that do not depend on the other field, with their strengths. */
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

/** The fields of a result taken together. */
export interface Reach {
  readonly words: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
  readonly kinds: number;
  /** Of the best of them. */
  readonly ownLogOdds: number;
}

export interface ToolProfile {
  readonly tool: PlannableTool;
  /** The subject of the tool: the words of its name without verbs. */
  readonly subject: ReadonlySet<string>;
  /** Words of its name. */
  readonly spelled: string;
  /** Each two words of its name in a row. */
  readonly phrases: readonly string[];
  /** 0 finds out, 1 makes, 2 changes or passes on; undefined if the name does not say. */
  readonly stage: number | undefined;
  /** The tool transforms its input, and later tasks want the transformed value. */
  readonly isTransforming: boolean;
  readonly parameters: readonly ParameterSlot[];
  /** The fields of its results. If the results are unknown, a single field stands for all. */
  readonly outputs: readonly Slot[];
  readonly reach: Reach;
  /** The outputs to look at first, whatever the parameter. */
  readonly leads: readonly Slot[];
  /** Outputs by the words that tell them apart; of a bare `id` those around it. */
  readonly byWord: ReadonlyMap<string, readonly Slot[]>;
  /** Its description as plain words. */
  readonly plain: string;
}

/** Words of a tool name that do not say what the tool is about. */
const DOING = new Set([
  ...STAGE_OF_VERB.keys(),
  'by',
  'for',
  'of',
  'from',
  'to',
  'in',
  'the',
  'and',
]);

/** Parameters that tune a call rather than being about something. */
const SETTINGS = wordSet(
  'limit offset page size sort order language locale format unit max min maximum minimum cursor filter fields include exclude pagination region timezone',
);
/** Parameters that users type in. */
const QUERIES = wordSet('query keyword term search question prompt');
/** Parameters that users do not know by heart. */
const HANDLES = wordSet('id key token handle symbol ticker slug ref reference');
/** Fields that report how the call went rather than what it found. */
const REPORTS = wordSet('status success error code message state');

/** Enough for the outputs that fit by what they are rather than by their name. */
const LEADS = 4;

/** A tool is in many plans, so its profile is cached as long as the tool exists. */
const KNOWN = new WeakMap<PlannableTool, ToolProfile>();

export function profileTool(tool: PlannableTool): ToolProfile {
  const known = KNOWN.get(tool);
  if (known) return known;
  const profile = makeProfile(tool);
  KNOWN.set(tool, profile);
  return profile;
}

/** The texts of a tool that the model compares if the tool is in a plan. */
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
    stage: words.map((word) => STAGE_OF_VERB.get(word)).find((stage) => stage !== undefined),
    isTransforming: words.some((word) => TRANSFORMING_VERBS.has(word)),
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
  const isTop = ({ names }: SchemaField) => names.length === 1;
  const isSole = fields.filter(isTop).length === 1;
  const isNamedAsTool = (words: readonly string[]) =>
    words.length > 0 && words.every((word) => subject.has(word));
  const isEnvelope =
    isSole || fields.some((field) => isTop(field) && isNamedAsTool(ownWords(field, subject)));
  return fields.map((field) => {
    const isWrapping = isEnvelope && field.path === '';
    const words = isWrapping ? [] : ownWords(field, subject);
    const isNeeded = given.get(words.join(' '));
    return slotOf(
      { field, words, subject },
      {
        main: Number(!isWrapping && field.names.length <= 1 && (isSole || isNamedAsTool(words))),
        report: Number(words.length > 0 && words.every((word) => REPORTS.has(word))),
        depth: Math.max(0, field.names.length - 1) / 4,
        whole: Number(isWrapping),
        echo: Number(isNeeded !== undefined),
        neededEcho: Number(isNeeded === true),
        observed: Number(source === 'observed'),
      },
    );
  });
}

/** Stands for a result that PML has never seen: PML only knows what the tool is about. */
function unseenOutput(tool: PlannableTool, subject: ReadonlySet<string>): Slot {
  const description = tool.description ?? '';
  const unknown = { types: [], itemTypes: [], format: '', choices: [] };
  const field = { path: '', names: [], ...unknown, description };
  return slotOf({ field, words: [...subject], subject }, { main: 1, unseen: 1 });
}

function parameterSlot(field: ToolParameter, subject: ReadonlySet<string>): ParameterSlot {
  const words = ownWords(field, subject);
  const has = (known: ReadonlySet<string>) => Number(words.some((word) => known.has(word)));
  const slot = slotOf(
    { field, words, subject },
    {
      setting: has(SETTINGS),
      required: Number(field.isRequired),
      query: has(QUERIES),
      handle: has(HANDLES),
    },
  );
  // A bare `id` or `name` belongs to the subject of its tool.
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

interface NamedField<Of> {
  readonly field: Of;
  readonly words: readonly string[];
  readonly subject: ReadonlySet<string>;
}

function slotOf<Of extends SchemaField>(
  { field, words, subject }: NamedField<Of>,
  own: Partial<BindingSignals>,
): Slot<Of> {
  const around = field.names.slice(0, -1).flatMap(nameWords);
  let described: ReadonlySet<string> | undefined;
  return {
    field,
    words,
    spelled: words.join(' '),
    wordBits: bitsOf(words),
    context: around.length === 0 ? subject : new Set([...around, ...subject]),
    kinds: kindsOf(words) | kindsOf(nameWords(field.format)),
    head: headKinds(words),
    identity: identityOf(words, [nameWords(field.names.at(-2) ?? ''), subject]),
    types: typeBitsOf(field),
    described: () => (described ??= textWords(field.description)),
    text: `${words.join(' ')}: ${field.description}`,
    own,
    ownLogOdds: logOddsOf(own),
  };
}

/** A whole value is the subject of its tool. */
function ownWords({ names }: SchemaField, subject: ReadonlySet<string>): readonly string[] {
  const name = names.at(-1);
  return name === undefined ? [...subject] : nameWords(name);
}

/** A day and a time of day are both moments, but different ones. */
const [DAY, TIME_OF_DAY] = [1 << 29, 1 << 30];

function headKinds(words: readonly string[]): number {
  const of = words.indexOf('of');
  const head = words.at(of > 0 ? of - 1 : -1);
  if (head === undefined) return 0;
  if (head === 'date' || head === 'day') return DAY;
  return head === 'time' || head === 'hour' ? TIME_OF_DAY : kindsOf([head]);
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
