import type { JsonValue } from '../core/index.js';
import { wordWeight } from './name-words.js';
import type { Field, Parameter } from './schema-fields.js';
import type { OutputSlot, Slot, ToolProfile } from './tool-profile.js';

/** What speaks for or against a value of the producer going into a parameter; each from -1 to 1. */
export interface Signals {
  /** Their names are alike, helped by what the tools are about: `id` of an artist and `artistId`. */
  readonly name: number;
  /** Names and what surrounds them are the same to the word. */
  readonly sameName: number;
  readonly description: number;
  /** How near their texts are in meaning, where somebody worked that out. */
  readonly meaning: number;
  readonly kind: number;
  readonly type: number;
  readonly format: number;
  /** The parameter chooses among fixed values and the field is not one of them. */
  readonly choice: number;
  /** The parameter tunes the call (page, limit, order) rather than being about something. */
  readonly setting: number;
  readonly required: number;
  /** Whoever asks types the parameter in: a question, a keyword. */
  readonly query: number;
  /** Nobody knows the parameter by heart: an id, a key, a token. */
  readonly handle: number;
  /** A text of the parameter or its tool names the producer. */
  readonly mention: number;
  readonly main: number;
  /** The field tells how the call went rather than what it found. */
  readonly report: number;
  readonly depth: number;
  /** The producer takes the same value: whoever calls it knew it before. */
  readonly echo: number;
  /** And cannot do without. */
  readonly neededEcho: number;
  /** Nothing is known of the result but what the producer is about. */
  readonly unseen: number;
  /** The result was seen, not promised: it may look different next time. */
  readonly observed: number;
  /** Finding out comes before making, and making before changing. */
  readonly stage: number;
  /** The tools are about the same. */
  readonly topic: number;
}

export interface SignalOptions {
  /** How near two texts are in meaning, from 0 to 1, where that is known. */
  readonly similarity?: (a: string, b: string) => number | undefined;
}

/** Texts of different meaning still come out about this alike. */
const UNRELATED_SIMILARITY = 0.75;
const SYNONYM_IN_CONTEXT = 0.7;
const SETTINGS = new Set(
  'limit offset page size sort order language locale format unit max min maximum minimum cursor filter fields include exclude pagination region timezone'.split(
    ' ',
  ),
);

const QUERIES = new Set('query keyword term search question prompt'.split(' '));
const HANDLES = new Set('id key token handle symbol ticker slug'.split(' '));
const REPORTS = new Set('status success error code message state'.split(' '));

export interface Ends {
  readonly producer: ToolProfile;
  readonly consumer: ToolProfile;
}

export function gatherSignals(
  output: OutputSlot,
  parameter: Slot<Parameter>,
  { producer, consumer, similarity }: Ends & SignalOptions,
): Signals {
  const name = nameLikeness(output, parameter);
  const { field } = parameter;
  return {
    name,
    sameName: Number(output.words.join(' ') === parameter.words.join(' ')),
    description: overlap(output.described, parameter.described),
    meaning: meaningOf(similarity?.(output.text, parameter.text)),
    kind: Number(sharesAny(output.kinds, parameter.kinds)),
    type: typeFit(output.field, field),
    format: formatFit(output.field, field),
    choice: choiceFit(output.field, field),
    setting: Number(parameter.words.some((word) => SETTINGS.has(word))),
    required: Number(field.isRequired),
    query: Number(parameter.words.some((word) => QUERIES.has(word))),
    handle: Number(parameter.words.some((word) => HANDLES.has(word))),
    mention: mentions({ producer, consumer }, parameter),
    main: Number(output.isMain),
    report: Number(output.words.every((word) => REPORTS.has(word))),
    depth: Math.max(0, output.field.names.length - 1) / 4,
    echo: Number(output.echo !== 'none'),
    neededEcho: Number(output.echo === 'needed'),
    unseen: Number(producer.outputs === undefined),
    observed: Number(producer.tool.output?.source === 'observed'),
    stage: stageStep(producer, consumer),
    topic: overlap(producer.subject, consumer.subject),
  };
}

/**
 * The share of the parameter's words that the field's name has, or at least what surrounds it; words
 * that any name could have count less. A field that says more than was asked for is less alike.
 */
export function nameLikeness(output: Slot, parameter: Slot): number {
  const wanted = fullWords(parameter);
  const own = new Set(output.words);
  let total = 0;
  let found = 0;
  let ownFound = 0;
  for (const word of wanted) {
    const weight = wordWeight(word);
    total += weight;
    if (own.has(word)) {
      found += weight;
      ownFound += 1;
    } else if (output.context.has(word)) found += weight * SYNONYM_IN_CONTEXT;
  }
  if (ownFound === 0 || total === 0) return 0;
  let extra = 0;
  for (const word of own) {
    if (!wanted.has(word) && !parameter.context.has(word)) extra += wordWeight(word);
  }
  return found / (total + extra / 2);
}

/** A bare `id` or `name` means that of what its tool is about. */
function fullWords(slot: Slot): ReadonlySet<string> {
  const isBare = slot.words.every((word) => wordWeight(word) < 1);
  return new Set(isBare ? [...slot.words, ...slot.context] : slot.words);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += wordWeight(word);
  return Math.min(1, shared / Math.sqrt(a.size * b.size));
}

function sharesAny(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const item of a) if (b.has(item)) return true;
  return false;
}

function meaningOf(similarity: number | undefined): number {
  if (similarity === undefined) return 0;
  return Math.max(0, (similarity - UNRELATED_SIMILARITY) / (1 - UNRELATED_SIMILARITY));
}

const isNumeric = (type: string) => type === 'number' || type === 'integer';
const isScalar = (type: string) => type !== 'array' && type !== 'object';

/** From 1, the same, over 0, unknown, to -1, cannot be. */
export function typeFit(output: Field, { types, itemTypes }: Field): number {
  if (output.types.length === 0 || types.length === 0) return 0;
  const fits = output.types.map((from) => Math.max(...types.map((to) => fitOf(from, to))));
  const best = Math.max(...fits);
  const isArrayToArray = best === 1 && output.types.includes('array') && types.includes('array');
  if (!isArrayToArray || output.itemTypes.length === 0 || itemTypes.length === 0) return best;
  return output.itemTypes.some((from) => itemTypes.some((to) => fitOf(from, to) > 0)) ? 1 : -0.5;
}

function fitOf(from: string, to: string): number {
  if (from === to || (from === 'integer' && to === 'number')) return 1;
  if (isNumeric(from) && isNumeric(to)) return 0.5;
  // Servers are lax about ids: what one gives as a number the next one takes as text.
  if (to === 'string' && isScalar(from)) return 0.2;
  if (from === 'string' && isNumeric(to)) return -0.2;
  return isScalar(from) === isScalar(to) ? -0.6 : -1;
}

function formatFit({ format: from }: Field, { format: to }: Field): number {
  if (from === '' || to === '') return 0;
  return from === to ? 1 : -1;
}

function choiceFit(output: Field, parameter: Field): number {
  const isChoice = parameter.choices.length > 0 || parameter.types.includes('boolean');
  if (!isChoice) return 0;
  const known = new Set<JsonValue>(parameter.choices);
  const shared = output.choices.filter((value) => known.has(value)).length;
  return shared > 0 ? -1 : 1;
}

/** Two words of the producer's name in a row that the consumer's own name does not have so. */
function mentions({ producer, consumer }: Ends, { plain }: Slot<Parameter>): number {
  const text = `${plain}${consumer.description}`;
  if (
    producer.phrases.some((phrase) => text.includes(phrase) && !consumer.spelled.includes(phrase))
  ) {
    return 1;
  }
  return 0;
}

function stageStep({ stage: from }: ToolProfile, { stage: to }: ToolProfile): number {
  return from === undefined || to === undefined ? 0 : Math.sign(to - from);
}
