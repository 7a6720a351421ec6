import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PmlError,
  type Task,
  type TaskId,
} from '../core/index.js';
import { CONTEXT } from './find-references.js';
import { parseReference, type Reference } from './reference.js';
import { replaceReferences } from './replace-references.js';
import { resultKey } from './result-reference.js';

const SHOWN_KEYS = 20;
const SHOWN_TEXT = 80;

/**
 * The task's arguments with every reference replaced by what it points to. Throws
 * `REFERENCE_INVALID` for a path that leads nowhere, naming what is there instead.
 */
export function resolveArgs(task: Task, outputs: ReadonlyMap<TaskId, JsonValue>): JsonObject {
  const known = new Set<string>(task.needs);
  if (outputs.has(CONTEXT)) known.add(CONTEXT);
  return replaceReferences(task.args, 'args', {
    isTask: (name) => known.has(name),
    visit: (reference) => follow(parseReference(reference), outputs),
    result: (reference) => task.results?.[resultKey(reference)],
  }) as JsonObject;
}

function follow(reference: Reference, outputs: ReadonlyMap<TaskId, JsonValue>): JsonValue {
  let value = outputs.get(reference.task);
  if (value === undefined) throw invalid(reference, `task \`${reference.task}\` has no output`);
  let walked: string = reference.task;
  for (const step of reference.steps) {
    const next = childOf(value, step);
    if (next === undefined) throw invalid(reference, `${walked} ${describeMiss(value, step)}`);
    walked += Array.isArray(value) ? `[${step}]` : `.${step}`;
    value = next;
  }
  return value;
}

function childOf(value: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function describeMiss(value: JsonValue, step: string): string {
  if (Array.isArray(value)) return `is an array of ${value.length}: no item \`${step}\``;
  if (!isJsonObject(value)) return `is ${describeScalar(value)}: it has no \`${step}\``;
  const keys = Object.keys(value);
  const shown = keys.slice(0, SHOWN_KEYS).map((key) => `\`${key}\``);
  if (shown.length === 0) return `is an empty object: it has no \`${step}\``;
  const more = keys.length > SHOWN_KEYS ? ', …' : '';
  return `has no \`${step}\`; its keys: ${shown.join(', ')}${more}`;
}

function describeScalar(value: JsonValue): string {
  if (typeof value !== 'string') return `\`${JSON.stringify(value)}\``;
  const shown = value.length > SHOWN_TEXT ? `${value.slice(0, SHOWN_TEXT)}…` : value;
  return `text, not JSON (${JSON.stringify(shown)})`;
}

function invalid({ text }: Reference, problem: string): PmlError {
  return new PmlError('REFERENCE_INVALID', `Reference \`${text}\`: ${problem}`, {
    details: { reference: text },
  });
}
