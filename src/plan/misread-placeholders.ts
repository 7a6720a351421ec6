import { closestWord, type TaskId } from '../core/index.js';
import { isDottedPath, referenceHead } from './reference.js';

/** What other workflow formats put before the name of a task. */
const PREFIXES = new Set([
  'tasks',
  'task',
  'steps',
  'step',
  'outputs',
  'results',
  'nodes',
  'needs',
]);
/** What they put behind it. */
const SUFFIX = /^([^.[]+)\.(?:outputs?|results?)(?=[.[]|$)/;

const OURS = /(\$?)\$\{([^{}]*)\}/g;
const DOUBLE_BRACES = /(?<!\$)\{\{([^{}]+)\}\}/g;
const BARE = /(?<![\w$])\$([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])+)/g;

/**
 * What is wrong with placeholders that would reach a tool as text though they look as if they stood
 * for an output:
 * - `${x.path}` whose first part is no task, unless it is escaped (`$${x.path}`) or stands between
 *   backticks, where it is a template of a program. `${HOME}` has no path and belongs to a shell;
 * - `{{a}}`, `{{a.path}}` and `$a.path`, if `a` is a task. Any other template passes.
 */
export function misreadPlaceholders(
  text: string,
  isTask: (name: string) => boolean,
  known: Iterable<TaskId>,
): readonly string[] {
  const ours = [...text.matchAll(OURS)].flatMap(({ 0: whole, 1: escape, 2: inner = '', index }) => {
    if (escape || isTask(referenceHead(inner))) return [];
    const write = meantReference(inner.trim(), isTask);
    if (!write && (!isDottedPath(inner.trim()) || isInBackticks(text, index))) return [];
    return [namesNoTask(whole, write ?? nearest(inner.trim(), known))];
  });
  const foreign = [DOUBLE_BRACES, BARE].flatMap((form) =>
    [...text.matchAll(form)].flatMap(({ 0: whole, 1: inner = '' }) => {
      const write = meantReference(inner.trim(), isTask);
      return write ? [isOnlyText(whole, write)] : [];
    }),
  );
  return [...ours, ...foreign];
}

function namesNoTask(text: string, reference: string | undefined): string {
  const write = reference === undefined ? '' : `write "\${${reference}}", or `;
  return `"${text}" names no task; ${write}"$${text}" if the text itself is meant`;
}

function isOnlyText(text: string, reference: string): string {
  return `"${text}" is only text here; write "\${${reference}}" for the output of the task, or give the task another id if the text itself is meant`;
}

/** The reference that was meant, without what other formats put around the name of the task. */
export function meantReference(
  inner: string,
  isTask: (name: string) => boolean,
): string | undefined {
  const head = referenceHead(inner);
  if (isTask(head)) return inner;
  const rest = inner.slice(head.length + 1);
  if (!PREFIXES.has(head) || !inner.startsWith('.', head.length)) return undefined;
  return isTask(referenceHead(rest)) ? rest.replace(SUFFIX, '$1') : undefined;
}

function nearest(inner: string, known: Iterable<TaskId>): string | undefined {
  const head = referenceHead(inner);
  const near = closestWord(head, new Set(known));
  return near && near + inner.slice(head.length);
}

function isInBackticks(text: string, index: number): boolean {
  let isInside = false;
  for (let at = text.indexOf('`'); at >= 0 && at < index; at = text.indexOf('`', at + 1)) {
    if (text[at - 1] !== '\\') isInside = !isInside;
  }
  return isInside;
}
