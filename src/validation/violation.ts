import { isJsonObject, type JsonValue } from '../core/index.js';

export interface Violation {
  /** Where in the value: `items[0].name`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** A violation found so far. */
export interface Finding extends Violation {
  /** How many steps deep inside the value. */
  readonly depth: number;
  /** The value has another form: its `kind` differs from the one of this form. */
  readonly decides: boolean;
}

/** One step into a value, and the steps before it. Converted to text only for a violation. */
export interface ViolationPlace {
  readonly before: ViolationPlace | undefined;
  readonly step: string | number;
}

const SHOWN_TEXT = 60;
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

export function placePath(place: ViolationPlace | undefined): string {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.before) steps.push(stepText(at.step));
  return steps.toReversed().join('').replace(/^\./, '');
}

export function depthOf(place: ViolationPlace | undefined): number {
  let depth = 0;
  for (let at = place; at !== undefined; at = at.before) depth++;
  return depth;
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return PLAIN_KEY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** A value as a message shows it: short, and read only as far as needed. */
export function show(value: JsonValue): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  if (typeof value !== 'string' || value.length <= SHOWN_TEXT) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, SHOWN_TEXT))}… (${value.length} characters)`;
}

/** The violations as lines of text. */
export function describeViolations(violations: readonly Violation[], root: string): string {
  return violations.map(({ path, message }) => `${joinPath(root, path)}: ${message}`).join('\n');
}

function joinPath(root: string, path: string): string {
  return path === '' || path.startsWith('[') ? `${root}${path}` : `${root}.${path}`;
}
