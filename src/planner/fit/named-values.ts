/**
 * Whether the arguments of a plan hold a value that the request names. There are two rules, because the
 * costs differ. `takesValue` decides whether a capability serves a request: a match that is too broad
 * calls it with the wrong value, so the argument must be the value. `unplacedValues` looks for values
 * that the plan ignores: there, any text that contains the value counts.
 */
import type { JsonValue, Task } from '../../core/index.js';
import type { Literal } from '../literals/literal.js';
import { wantedLiterals } from './wanted-literals.js';

const LEAST_PART = 3;

/** Whether an argument is the value, a part of it, or a sentence that contains it. */
export function takesValue(argument: string, { text, value }: Literal): boolean {
  const [given, said] = [argument.toLowerCase(), text.toLowerCase()];
  if (given === said || argument === String(value)) return true;
  const isPart = given.length >= LEAST_PART && said.includes(given);
  return isPart || (/\s/.test(given) && given.includes(said)) || given.endsWith(`://${said}`);
}

/** Every value inside an argument, as text. */
export function leafTexts(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap((part) => leafTexts(part as JsonValue));
}

/** The literals of a request that arguments of these tasks contain. */
export function placedLiterals(request: string, tasks: readonly Task[]): readonly Literal[] {
  const placed = tasks.map(({ args }) => JSON.stringify(args)).join('\n');
  return wantedLiterals(request).filter((literal) => isWithin(placed, literal));
}

/** Values that the request names and that no argument of these tasks contains. */
export function unplacedValues(request: string, tasks: readonly Task[]): readonly string[] {
  const placed = tasks.map(({ args }) => JSON.stringify(args)).join('\n');
  return wantedLiterals(request)
    .filter((literal) => !isWithin(placed, literal))
    .map(({ text }) => text);
}

function isWithin(json: string, { text, value }: Literal): boolean {
  return [text, String(value)].some((one) => json.includes(JSON.stringify(one).slice(1, -1)));
}
