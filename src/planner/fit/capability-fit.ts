import type { ToolId } from '../../core/index.js';
import { tokenize } from '../../words/index.js';
import type { FilledPlan } from '../arguments/fill-plan.js';
import { findLiterals } from '../literals/intent-literals.js';
import type { Literal } from '../literals/literal.js';
import { changesAskedBy, changesNamedBy } from './asked-work.js';
import { takesValue, leafTexts } from './named-values.js';
import { wantedLiterals } from './wanted-literals.js';

/** The facts that decide whether a capability serves a request. */
export interface FittedCapability {
  /** Requests that it served. */
  readonly examples: readonly string[];
  /** Its name and its description. */
  readonly text: string;
  /** The tools that it calls. */
  readonly tools: readonly ToolId[];
  /** Tools of `tools` that may change something. */
  readonly changing: readonly ToolId[];
}

export interface FittedRequest {
  readonly intent: string;
  /** The plan with the task of the capability and its arguments. */
  readonly filled: FilledPlan;
  /** Tools of the other tasks. */
  readonly others: readonly ToolId[];
}

/** A request that shares this part of the words of an example wants the same. */
const SAME_WANT = 0.5;
/** These words fit any request, so no parameter has to take them. */
const NOW = new Set(['today', 'now', 'currently']);

/** Why a capability does not serve a request. */
export interface Misfit {
  readonly why: string;
  /** The capability does the right work but has too few parameters: its tools may serve instead. */
  readonly isSameWork: boolean;
}

/**
 * Why a capability does not serve a request; undefined if it does. A capability serves a request if the
 * plan covers every difference between the request and the examples: a parameter takes every value that
 * the request names, a tool makes every change that it asks for, and the capability makes no other
 * change.
 */
export function misfitOf(
  capability: FittedCapability,
  { intent, filled, others }: FittedRequest,
): Misfit | undefined {
  const { examples } = capability;
  if (examples.some((one) => normalised(one) === normalised(intent))) return undefined;
  const other = unaskedChange(capability, intent) ?? missingChange(capability, intent, others);
  if (other !== undefined) return { why: other, isSameWork: false };
  const untaken = untakenValue(capability, intent, filled);
  return untaken === undefined ? undefined : { why: untaken, isSameWork: true };
}

/**
 * A change that the capability makes and the request does not ask for. A change that no example asked
 * for, such as a new folder for a file, belongs to the changes that the examples asked for.
 */
function unaskedChange(
  { examples, changing }: FittedCapability,
  intent: string,
): string | undefined {
  const made = changing.map((tool) => ({ tool, kinds: [...changesNamedBy(tool)] }));
  const known = new Set(examples.flatMap((one) => [...changesAskedBy(one).possible]));
  const { possible } = changesAskedBy(intent);
  const wanted = made.filter(({ kinds }) => kinds.some((kind) => known.has(kind)));
  const asked = wanted.length > 0 ? wanted : made.filter(({ kinds }) => kinds.length > 0);
  const unasked = asked.find(({ kinds }) => {
    if (kinds.some((kind) => possible.has(kind))) return false;
    // If an example did not name the change either, a request for the same wants the change, too.
    const silent = examples.filter((one) => {
      const said = changesAskedBy(one).possible;
      return !kinds.some((kind) => said.has(kind));
    });
    return !silent.some((one) => wantsTheSame(intent, one));
  });
  return unasked && `it calls ${unasked.tool}, but the request does not ask for that change`;
}

/** A change that the request asks for and neither the capability nor another task makes. */
function missingChange(
  { examples, tools }: FittedCapability,
  intent: string,
  others: readonly ToolId[],
): string | undefined {
  const made = new Set([...tools, ...others].flatMap((tool) => [...changesNamedBy(tool)]));
  const known = new Set(examples.flatMap((one) => [...changesAskedBy(one).possible]));
  const missing = [...changesAskedBy(intent).clear].find((kind) => {
    return !made.has(kind) && !known.has(kind);
  });
  return missing && `the request asks to ${missing}, but the capability never did that`;
}

/** A value that the request names, but that no example had and no parameter of the plan takes. */
function untakenValue(
  { examples, text }: FittedCapability,
  intent: string,
  { plan, holes }: FilledPlan,
): string | undefined {
  const taken = plan.tasks.flatMap(({ args }) => leafTexts(args));
  const hints = holes.map(({ hint = '' }) => hint).join('\n');
  const known = new Set([...examples, text].flatMap(tokenize));
  const isKnown = (literal: Literal) => {
    const isFiller = NOW.has(literal.text.toLowerCase()) || isSpelledNumber(literal);
    if (isFiller || hints.includes(JSON.stringify(literal.value))) return true;
    if (taken.some((one) => takesValue(one, literal))) return true;
    const words = tokenize(literal.text);
    return words.length > 0 && words.every((word) => known.has(word));
  };
  const untaken = wantedLiterals(intent, { most: MOST_LITERALS }).find((one) => !isKnown(one));
  return untaken && `no parameter takes \`${untaken.text.slice(0, SHOWN_CHARACTERS)}\``;
}

const MOST_LITERALS = 50;
const SHOWN_CHARACTERS = 60;

/** "Two cities" counts the names beside it. */
function isSpelledNumber({ kind, text }: Literal): boolean {
  return kind === 'number' && !/\d/.test(text);
}

function wantsTheSame(intent: string, example: string): boolean {
  const values = new Set(findLiterals(example).flatMap(({ text }) => tokenize(text)));
  const words = [...new Set(tokenize(example))].filter((word) => !values.has(word));
  const own = new Set(tokenize(intent));
  const shared = words.filter((word) => own.has(word)).length;
  return words.length > 0 && shared >= SAME_WANT * words.length;
}

function normalised(request: string): string {
  return request
    .toLowerCase()
    .replaceAll(/[\s.!?]+/g, ' ')
    .trim();
}
