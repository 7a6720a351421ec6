import { isJsonObject, type JsonValue, type Task } from '../core/index.js';
import { CONTEXT } from './find-references.js';
import { referenceHead } from './reference.js';
import { replaceReferences } from './replace-references.js';

/** Stands for a value that comes from elsewhere. */
const SLOT = '${}';

/**
 * The value of a parameter with `${}` for each reference in it; a reference alone becomes `${}`.
 * Nothing where it takes values from outside of the run, which no other run has.
 */
export function templateOf(
  value: JsonValue,
  { needs }: Pick<Task, 'needs'>,
): JsonValue | undefined {
  const known = new Set<string>(needs);
  let isForeign = countSlots(value) > 0;
  const foreign = () => {
    isForeign = true;
    return null;
  };
  const template = replaceReferences(value, '', {
    isTask: (name) => known.has(name) || name === CONTEXT,
    visit: (reference) => (known.has(referenceHead(reference)) ? SLOT : foreign()),
    result: foreign,
  });
  return isForeign ? undefined : template;
}

/** The same for a value that is known to have come from elsewhere. */
export function withSlot(value: JsonValue, leaf: JsonValue): JsonValue {
  if (value === leaf) return SLOT;
  if (Array.isArray(value)) return value.map((part: JsonValue) => withSlot(part, leaf));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withSlot(part, leaf)]),
  );
}

/** Whether a template is nothing but the value itself. */
export function isWhole(template: JsonValue | undefined): boolean {
  return template === SLOT;
}

export function countSlots(template: JsonValue): number {
  return textsIn(template).reduce((sum, text) => sum + text.split(SLOT).length - 1, 0);
}

/** What is written in a template besides its slots. */
export function literalTexts(template: JsonValue): readonly string[] {
  return textsIn(template).flatMap((text) => text.split(SLOT));
}

/** The template with a reference in each slot, in their order; `keep` makes text stay text. */
export function fillSlots(
  template: JsonValue,
  references: readonly string[],
  keep: (text: string) => string,
): JsonValue {
  let next = 0;
  const fill = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(fill);
    if (isJsonObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
    }
    if (typeof value !== 'string') return value;
    const [first = '', ...rest] = value.split(SLOT).map(keep);
    return rest.reduce((text, part) => `${text}\${${references[next++] ?? ''}}${part}`, first);
  };
  return fill(template);
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part: JsonValue) => textsIn(part));
}
