import type { JsonValue } from '../../core/index.js';
import { type SchemaField, typeFit } from '../../schema/index.js';
import { nameWords, wordWeight } from '../../words/index.js';
import { areOfDifferentThings } from './identity.js';
import { type BindingSignals, WEIGHTS } from './score-binding.js';
import type { ParameterSlot, Reach, Slot, ToolProfile } from './tool-profile.js';

/** The tools at both ends of a binding. */
export interface BindingEnds {
  readonly producer: ToolProfile;
  readonly consumer: ToolProfile;
}

/** Looks up how near two texts are in meaning, from 0 to 1, where that is known. */
export type Similarity = (a: string, b: string) => number | undefined;

/** Texts of different meaning still come out about this alike. */
const UNRELATED_SIMILARITY = 0.8;
/** A word around a field tells a little less than one in its name. */
const AROUND = 0.7;
/** Beyond this share of common words, descriptions do not count as more alike. */
const MOST_ALIKE = 0.8;

/** What the two tools themselves come to, whatever goes between them. */
export function pairLogOdds({ producer, consumer }: BindingEnds): number {
  const topic = overlap(producer.subject, consumer.subject);
  return (
    WEIGHTS.stage * stageStep(producer, consumer) +
    WEIGHTS.topic * topic +
    (producer.isTransforming ? WEIGHTS.transform : 0)
  );
}

function stageStep({ stage: from }: ToolProfile, { stage: to }: ToolProfile): number {
  return from === undefined || to === undefined ? 0 : Math.sign(to - from);
}

/** Whether a text of the parameter or its tool names the producer. */
export function isMentioned(
  { producer, consumer }: BindingEnds,
  { plain }: ParameterSlot,
): boolean {
  return producer.phrases.some(
    (phrase) =>
      (plain.includes(phrase) || consumer.plain.includes(phrase)) &&
      // Naming both ends in the same words says nothing about the one.
      !consumer.spelled.includes(phrase),
  );
}

/** Signals of a field and a parameter that are cheap to tell. */
function closeSignals(output: Slot, parameter: ParameterSlot): Partial<BindingSignals> {
  return {
    name: nameLikeness(output, parameter),
    sameName: Number(output.spelled === parameter.spelled),
    kind: Number((output.kinds & parameter.kinds) !== 0),
    clash: Number(haveOtherKinds(output, parameter)),
    type: typeFit(output.types, parameter.types),
    format: formatFit(output, parameter),
    choice: choiceFit(output.field, parameter.field),
  };
}

/**
 * What the close signals and those of the field alone come to, in log-odds. Says the same as adding
 * them up one by one; plans compare so many fields that making the list of them is too much.
 */
export function closeLogOdds(output: Slot, parameter: ParameterSlot, fit: number): number {
  let sum = output.ownLogOdds + WEIGHTS.type * fit;
  const name = nameLikeness(output, parameter);
  if (name > 0) sum += WEIGHTS.name * name;
  if (output.spelled === parameter.spelled) sum += WEIGHTS.sameName;
  if ((output.kinds & parameter.kinds) !== 0) sum += WEIGHTS.kind;
  if (haveOtherKinds(output, parameter)) sum += WEIGHTS.clash;
  return (
    sum +
    WEIGHTS.format * formatFit(output, parameter) +
    WEIGHTS.choice * choiceFit(output.field, parameter.field)
  );
}

function haveOtherKinds(output: Slot, { head, identity }: ParameterSlot): boolean {
  if (output.head !== 0 && head !== 0 && (output.head & head) === 0) return true;
  // A bare `id` probably identifies the subject of its tool, but not always: get_weather may want a
  // city.
  return identity?.isNamed === false && areOfDifferentThings(output.identity, identity);
}

/**
 * Whether the parameter can take the value at all, whatever the names say: the server refuses a value
 * of another type, and the id of one thing never identifies another thing.
 */
export function canGoInto(
  output: Slot,
  parameter: ParameterSlot,
  fit = typeFit(output.types, parameter.types),
): boolean {
  if (fit < 0) return false;
  const { identity } = parameter;
  return !identity?.isNamed || !areOfDifferentThings(output.identity, identity);
}

/** What any field within reach could come to at most: a look at the tool instead of all its fields. */
export function closestPossible(reach: Reach, parameter: ParameterSlot): number {
  let sum = reach.ownLogOdds + WEIGHTS.type;
  if ((reach.kinds & parameter.kinds) !== 0) sum += WEIGHTS.kind;
  if (parameter.field.format !== '') sum += WEIGHTS.format;
  if (parameter.field.choices.length > 0) sum -= WEIGHTS.choice;
  let shared = 0;
  let around = 0;
  for (const [word, weight] of parameter.wanted) {
    if (reach.words.has(word)) shared += weight;
    else if (reach.context.has(word)) around += weight;
  }
  if (shared === 0) return sum;
  return (
    sum + WEIGHTS.sameName + (WEIGHTS.name * (shared + around * AROUND)) / parameter.wantedWeight
  );
}

/** What the texts of both come to, which takes longest to tell. */
export function textLogOdds(
  output: Slot,
  parameter: ParameterSlot,
  similarity: Similarity | undefined,
): number {
  const description = describedAlike(output, parameter);
  const meaning = meaningOf(similarity?.(output.text, parameter.text));
  return WEIGHTS.description * description + WEIGHTS.meaning * meaning;
}

/** The most that texts can add. */
export function textGain(similarity: Similarity | undefined): number {
  return WEIGHTS.description * MOST_ALIKE + (similarity ? WEIGHTS.meaning : 0);
}

/** Everything that speaks for or against a value of the field going into the parameter. */
export function bindingSignals(
  output: Slot,
  parameter: ParameterSlot,
  { producer, consumer, similarity }: BindingEnds & { readonly similarity: Similarity | undefined },
): Partial<BindingSignals> {
  return {
    ...output.own,
    ...parameter.own,
    ...closeSignals(output, parameter),
    stage: stageStep(producer, consumer),
    topic: overlap(producer.subject, consumer.subject),
    transform: Number(producer.isTransforming),
    mention: Number(isMentioned({ producer, consumer }, parameter)),
    description: describedAlike(output, parameter),
    meaning: meaningOf(similarity?.(output.text, parameter.text)),
  };
}

/**
 * The share of the parameter's words that the field's name has, or at least what surrounds it; words
 * that any name could have count less. A field that says more than was asked for is less alike.
 */
function nameLikeness({ words, wordBits, context }: Slot, parameter: ParameterSlot): number {
  if ((wordBits & parameter.wordBits) === 0) return 0;
  let found = 0;
  let extra = 0;
  let isAlike = false;
  for (const word of words) {
    const weight = parameter.wanted.get(word);
    if (weight !== undefined) {
      found += weight;
      isAlike = true;
    } else if (!parameter.context.has(word)) extra += wordWeight(word);
  }
  if (!isAlike) return 0;
  for (const [word, weight] of parameter.wanted) {
    if (context.has(word) && !words.includes(word)) found += weight * AROUND;
  }
  return found / (parameter.wantedWeight + extra / 2);
}

function describedAlike(output: Slot, parameter: ParameterSlot): number {
  return Math.min(MOST_ALIKE, overlap(output.described(), parameter.described()));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += wordWeight(word);
  return Math.min(1, shared / Math.sqrt(a.size * b.size));
}

function meaningOf(similarity: number | undefined): number {
  if (similarity === undefined) return 0;
  return Math.max(0, (similarity - UNRELATED_SIMILARITY) / (1 - UNRELATED_SIMILARITY));
}

/** Few results declare formats: a field that is named like the format, as `email`, has it. */
function formatFit({ field, words }: Slot, parameter: ParameterSlot): number {
  const [from, to] = [field.format, parameter.field.format];
  if (to === '') return 0;
  if (from === '') return Number(words.at(-1) === nameWords(to).at(-1));
  return from === to ? 1 : -1;
}

/** 1 when the parameter chooses among fixed values and the field is not one of them. */
function choiceFit(output: SchemaField, { choices, types }: SchemaField): number {
  if (choices.length === 0) return Number(types.includes('boolean'));
  const known = new Set<JsonValue>(choices);
  return output.choices.some((value) => known.has(value)) ? -1 : 1;
}
