import { typeFit } from '../../schema/index.js';
import { type BindingMemory, type PairMemory, type Rate, shareInWords } from './binding-memory.js';
import {
  canGoInto,
  closeLogOdds,
  closestPossible,
  type BindingEnds,
  bindingSignals,
  isMentioned,
  pairLogOdds,
  type Similarity,
  textGain,
  textLogOdds,
} from './binding-signals.js';
import { BIAS, type BindingReason, explainSignals, WEIGHTS } from './score-binding.js';
import type { ParameterSlot, Slot, ToolProfile } from './tool-profile.js';

/** A possible flow from one tool to another, before PML compares it with other sources. */
export interface PairDraft {
  /** Undefined if PML only knows that the consumer waits for the producer. */
  readonly param?: string;
  /** Undefined if PML does not know where in the result the value is. */
  readonly path?: string;
  /** The field that holds the value, if PML knows it. */
  readonly output?: Slot;
  /** The log-odds from names and schemas. */
  readonly logOdds: number;
  /** Adds what past executions show to the probability from names and schemas. */
  readonly scoreOf: (chance: number) => number;
  readonly explain: () => readonly BindingReason[];
}

export interface PairOptions {
  readonly memory: BindingMemory;
  readonly similarity: Similarity | undefined;
  /** Links with a lower score are left out. */
  readonly least: number;
  /** How many tasks could be the source. */
  readonly choices: number;
}

/**
 * This many executions weigh as much as names and schemas. `bench/flow.ts` is best with this value and
 * the next.
 */
const PRIOR_STRENGTH = 1;
const ROLE_STRENGTH = 3;
const ROLE_WEIGHT = 0.4;
const SHARE_STRENGTH = 3;
const SHARE_WEIGHT = 0.5;
const ORDER_WEIGHT = 1;
/** Fitted together with the weights of the signals. */
export const CROWD_WEIGHT = -1.3;
const CROWD = 3;
/** Log-odds that a field of the same name is the one meant. */
const SAME_FIELD = 1.5;
/** Plans up to this size are looked at in full. */
const CROWDED = 24;

/** The best way into each of the parameters, and past flows of which no parameter is known. */
export function linkPair(
  ends: BindingEnds,
  parameters: readonly ParameterSlot[],
  options: PairOptions,
): readonly PairDraft[] {
  const { producer, consumer } = ends;
  const { similarity } = options;
  const past = options.memory.pair(producer.tool.id, consumer.tool.id);
  const shift =
    CROWD_WEIGHT * crowdOf(options.choices) +
    orderShift(past) +
    roleShift(ends, options.memory) +
    pairLogOdds(ends);
  // Only a past flow can lift a guess; without one the unlikely ones need no closer look.
  const least = past.flowed > 0 ? -Infinity : logit(options.least);
  const isCrowded = options.choices > CROWDED && past.flowed === 0;
  const guesses: Guess[] = [];
  for (const parameter of parameters) {
    if (isPutTogether(parameter, past)) continue;
    const moved = shift + shareShift(parameter, ends, options.memory);
    const guess = bestGuess(ends, parameter, { moved, least, isCrowded, similarity });
    if (guess) guesses.push(guess);
  }
  leaveToBetter(guesses);
  if (guesses.length === 0 && past.flowed === 0) return [];
  const unnamed = past.flows.filter(({ param }) => param === undefined);
  const unnamedTimes = unnamed.reduce((sum, { times }) => sum + times, 0);
  const best = guesses.toSorted((a, b) => b.logOdds - a.logOdds)[0];
  const links = guesses.map((guess) =>
    withPast(guess, { past, extra: guess === best ? unnamedTimes : 0, similarity }),
  );
  return best || past.flowed === 0 ? links : [flowOnly(past)];
}

/**
 * A field that fits one parameter of a call best goes into that parameter. Its lead over the other
 * parameters counts against them.
 */
function leaveToBetter(guesses: readonly Guess[]): void {
  const most = new Map<Slot, number>();
  for (const { output, logOdds } of guesses) {
    most.set(output, Math.max(logOdds, most.get(output) ?? -Infinity));
  }
  for (const guess of guesses) {
    guess.logOdds = 2 * guess.logOdds - most.get(guess.output)!;
  }
}

/** A parameter that took values of the producer as parts of a text does not take a whole value. */
function isPutTogether({ field: { path } }: ParameterSlot, { flows }: PairMemory): boolean {
  const timesOf = (isPart: boolean) =>
    flows
      .filter((flow) => flow.param === path && (flow.isPart ?? false) === isPart)
      .reduce((sum, { times }) => sum + times, 0);
  const parts = timesOf(true);
  return parts > 0 && parts >= timesOf(false);
}

interface Guess {
  readonly parameter: ParameterSlot;
  /** The strongest evidence that the producer is the source. */
  readonly output: Slot;
  /** Where in its result the value is; undefined if no field has the type. */
  readonly field: Slot | undefined;
  logOdds: number;
  readonly ends: BindingEnds;
}

interface GuessOptions {
  readonly similarity: Similarity | undefined;
  /** Log-odds that come from the tools and the plan. */
  readonly moved: number;
  /** Log-odds below which a guess is not worth making. */
  readonly least: number;
  /** Whether the plan has too many tasks to check every output of each. */
  readonly isCrowded: boolean;
}

function bestGuess(
  ends: BindingEnds,
  parameter: ParameterSlot,
  { moved, least, isCrowded, similarity }: GuessOptions,
): Guess | undefined {
  const { reach } = ends.producer;
  if (isCrowded && !hasTellingWord(ends.producer, parameter) && !isMentioned(ends, parameter)) {
    return undefined;
  }
  const gain = textGain(similarity);
  const plain = BIAS + moved + parameter.ownLogOdds;
  const possible = closestPossible(reach, parameter) + gain;
  if (plain + possible + WEIGHTS.mention < least) return undefined;
  const base = plain + (isMentioned(ends, parameter) ? WEIGHTS.mention : 0);
  if (base + possible < least) return undefined;
  const needed = least - base - gain;
  let [best, bestField]: (Slot | undefined)[] = [];
  let [most, mostFitting] = [-Infinity, -Infinity];
  for (const output of isCrowded ? shortlist(ends.producer, parameter) : ends.producer.outputs) {
    const fit = typeFit(output.types, parameter.types);
    const canGo = canGoInto(output, parameter, fit);
    // If the schemas do not fit, only a past flow can support the link.
    if (!canGo && least !== -Infinity) continue;
    const close = closeLogOdds(output, parameter, fit);
    const fitting = close + fieldPreference(output, parameter);
    if (canGo && fitting > mostFitting) {
      bestField = output;
      mostFitting = fitting;
    }
    if (close < needed || close + gain <= most) continue;
    const logOdds = close + textLogOdds(output, parameter, similarity);
    if (logOdds > most) {
      best = output;
      most = logOdds;
    }
  }
  if (!best) return undefined;
  return { parameter, output: best, field: bestField, logOdds: base + most, ends };
}

/** If the source is known, the field with the name of the parameter is the value. */
function fieldPreference({ own, spelled }: Slot, parameter: ParameterSlot): number {
  const echo = WEIGHTS.echo * (own.echo ?? 0) + WEIGHTS.neededEcho * (own.neededEcho ?? 0);
  return (spelled === parameter.spelled ? SAME_FIELD : 0) - echo;
}

/** Among many tools, some fit by type and kind alone, by chance. */
function hasTellingWord({ byWord, subject }: ToolProfile, { wanted }: ParameterSlot): boolean {
  for (const [word, weight] of wanted) {
    if (weight === 1 && (byWord.has(word) || subject.has(word))) return true;
  }
  return false;
}

/** The outputs that stand out, and those that share a telling word with the parameter. */
function shortlist({ leads, byWord }: ToolProfile, { wanted }: ParameterSlot): readonly Slot[] {
  let list = leads;
  for (const word of wanted.keys()) {
    const slots = byWord.get(word);
    if (slots) list = [...list, ...slots];
  }
  return list;
}

interface Past {
  readonly past: PairMemory;
  /** Flows whose parameter is unknown and may have been this one. */
  readonly extra: number;
  readonly similarity: Similarity | undefined;
}

function withPast(guess: Guess, { past, extra, similarity }: Past): PairDraft {
  const { parameter, output, field, ends } = guess;
  const { producer } = ends;
  const param = parameter.field.path;
  const flows = past.flows.filter((flow) => flow.param === param && !flow.isPart);
  const times = Math.min(past.recorded, extra + flows.reduce((sum, flow) => sum + flow.times, 0));
  const path = learnedPath(flows[0]?.field, producer) ?? knownPath(field, producer);
  return {
    param,
    ...(path !== undefined && { path }),
    output: field ?? output,
    logOdds: guess.logOdds,
    scoreOf: (chance) => (times + PRIOR_STRENGTH * chance) / (past.recorded + PRIOR_STRENGTH),
    explain: () => [
      ...explainPast(past, times),
      ...explainSignals(bindingSignals(output, parameter, { ...ends, similarity })),
    ],
  };
}

function flowOnly(past: PairMemory): PairDraft {
  return {
    logOdds: -Infinity,
    scoreOf: () => past.flowed / (past.recorded + PRIOR_STRENGTH),
    explain: () => explainPast(past, past.flowed),
  };
}

function explainPast(past: PairMemory, times: number): readonly BindingReason[] {
  if (past.ordered === 0) return [];
  const text =
    times > 0
      ? `the value went this way in ${shareInWords(times, past.recorded)}`
      : `called in this order in ${shareInWords(past.inOrder, past.ordered)}`;
  return [{ kind: times > 0 ? 'learned' : 'order', text }];
}

/** A path that worked before holds unless the schema knows better. */
function learnedPath(
  field: string | undefined,
  { tool, outputs }: ToolProfile,
): string | undefined {
  if (field === undefined || !tool.output) return field;
  const name = field.split(/[.[\]]+/).findLast((part) => part !== '' && !/^\d+$/.test(part));
  const isKnown = outputs.some((output) => output.field.path === field);
  return isKnown ? field : outputs.find((output) => output.field.names.at(-1) === name)?.field.path;
}

function knownPath(slot: Slot | undefined, { tool }: ToolProfile): string | undefined {
  return tool.output ? slot?.field.path : undefined;
}

/** With more choices, a match by chance is more likely. */
export function crowdOf(choices: number): number {
  return Math.log(Math.min(Math.max(choices, 1), CROWD));
}

/** A tool that often passes values on, or often takes them, will probably do so again. */
function roleShift({ producer, consumer }: BindingEnds, memory: BindingMemory): number {
  const usual = memory.usualRate;
  if (usual === 0) return 0;
  const shiftOf = ({ times, chances }: Rate) =>
    Math.log((times + ROLE_STRENGTH * usual) / (chances + ROLE_STRENGTH) / usual);
  return (
    ROLE_WEIGHT * (shiftOf(memory.gave(producer.tool.id)) + shiftOf(memory.took(consumer.tool.id)))
  );
}

/** A parameter that took most values of its tool so far will probably take this value, too. */
function shareShift(
  { field }: ParameterSlot,
  { consumer }: BindingEnds,
  memory: BindingMemory,
): number {
  const { times, chances } = memory.tookInto(consumer.tool.id, field.path);
  const evenShare = 1 / consumer.parameters.length;
  const share = (times + SHARE_STRENGTH * evenShare) / (chances + SHARE_STRENGTH);
  return SHARE_WEIGHT * Math.log(share / evenShare);
}

/**
 * Evidence from the order of past calls. It counts only if no execution recorded where values went.
 */
function orderShift({ ordered, recorded, inOrder }: PairMemory): number {
  if (ordered === 0 || recorded > 0) return 0;
  return ORDER_WEIGHT * (2 * (inOrder / ordered) - 1) * (ordered / (ordered + 1));
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}
