import { createScanner, findNodeAtLocation, type Node } from 'jsonc-parser';

import { parseJsonc, positionOf, type TextProblem } from '../../config/text/parse-jsonc.js';
import { PmlError } from '../../core/errors.js';
import type { JsonObject } from '../../core/index.js';
import { isJsonObject } from '../../core/json.js';
import { closestWord } from '../../core/names/edit-distance.js';
import { readLines } from '../print/read-rows.js';

/** Tasks from a file, with the arguments of `pml_execute_workflow`, and where they stand in it. */
export interface PlanFile {
  readonly args: JsonObject;
  /** An error of the daemon, its problems with file, line and column where they are found there. */
  readonly explain: (error: PmlError) => PmlError;
}

const KEYS = ['tasks', 'intent', 'approve', 'context', 'mode', 'answer_within_ms'];
const SHAPE = 'a plan is [{"tool": "server:tool", "args": {}}, …] or {"tasks": […], "intent": "…"}';

/** Reads a plan: an array of tasks or an object with more; comments are fine. `-` is stdin. */
export async function readPlan(file: string): Promise<PlanFile> {
  return parsePlanText(await readLines(file), file === '-' ? 'stdin' : file);
}

export function parsePlanText(text: string, name: string): PlanFile {
  const shift = startsWithArray(text) ? ARRAY_START.length : 0;
  const { root, value, problems } = parseJsonc(shift > 0 ? `${ARRAY_START}${text}\n}` : text);
  const found = shift > 0 ? problems.map((problem) => unshift(problem, text)) : problems;
  if (found.length > 0 || !root || !isJsonObject(value)) {
    const lines = found.map(
      ({ line, column, message }) => `${name}:${line}:${column}: ${message}; ${SHAPE}`,
    );
    throw new PmlError('PLAN_INVALID', lines.join('\n'));
  }
  const places = { name, text, root, shift };
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) {
    throw new PmlError('PLAN_INVALID', unknown.map((key) => unknownKey(key, places)).join('\n'));
  }
  return { args: value, explain: (error) => explain(error, places) };
}

/** An array is read as the tasks of an object, so that it is checked as any other file. */
const ARRAY_START = '{"tasks":';
/** The scanner's token kinds are a const enum of the library, which isolated modules cannot read. */
const OPEN_BRACKET = 3;

function startsWithArray(text: string): boolean {
  const token: number = createScanner(text, true).scan();
  return token === OPEN_BRACKET;
}

/** Back to the text as it is in the file. */
function unshift({ line, column, path, message }: TextProblem, text: string): TextProblem {
  const end = positionOf(text, text.trimEnd().length);
  const own = { line, column: line === 1 ? Math.max(1, column - ARRAY_START.length) : column };
  const isBehind = own.line > end.line || (own.line === end.line && own.column > end.column);
  if (!isBehind) return { ...own, path, message };
  return { ...end, path, message: `${message} (the file ends here: is it cut off?)` };
}

interface Places {
  readonly name: string;
  readonly text: string;
  readonly root: Node;
  readonly shift: number;
}

function unknownKey(key: string, places: Places): string {
  const meant = closestWord(key, KEYS);
  const hint = meant ? `did you mean ${meant}?` : `known are ${KEYS.join(', ')}`;
  return at(findNodeAtLocation(places.root, [key]), places, `unknown key ${key}; ${hint}`);
}

function explain(error: PmlError, places: Places): PmlError {
  const lines = error.message.split('\n').map((line) => locate(line, places));
  return new PmlError(error.code, lines.join('\n'), { cause: error, details: error.details });
}

/** `tasks[2].args: …`, `task save: …` and `intent: …` say where they belong. */
function locate(problem: string, places: Places): string {
  const index = /^tasks\[(\d+)\]/.exec(problem)?.[1];
  const id = /^task ([\w-]+):/.exec(problem)?.[1];
  const key = /^([a-z_]+)[.:]/.exec(problem)?.[1];
  const { root } = places;
  if (index !== undefined) {
    return at(findNodeAtLocation(root, ['tasks', Number(index)]), places, problem);
  }
  if (id !== undefined) return at(findTask(root, id), places, problem);
  if (key === undefined || !KEYS.includes(key)) return problem;
  return at(findNodeAtLocation(root, [key]) ?? root, places, problem);
}

/** By its id, or by the one it gets from its place. */
function findTask(root: Node, id: string): Node | undefined {
  const tasks = findNodeAtLocation(root, ['tasks'])?.children ?? [];
  return tasks.find((task, place) => {
    const own: unknown = findNodeAtLocation(task, ['id'])?.value;
    return (own ?? `t${place + 1}`) === id;
  });
}

function at(node: Node | undefined, { name, text, shift }: Places, problem: string): string {
  if (!node) return `${name}: ${problem}`;
  const { line, column } = positionOf(text, Math.max(0, node.offset - shift));
  return `${name}:${line}:${column}: ${problem}`;
}
