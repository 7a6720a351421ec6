import {
  isJsonObject,
  type JsonValue,
  mentionsSecret,
  type Task,
  type ToolId,
} from '../../core/index.js';
import { SURE } from '../../learning/index.js';
import { inputParameters, propertiesOf, type ToolParameter } from '../../schema/index.js';
import { plainWords } from '../../words/index.js';
import { wantedLiterals } from '../fit/wanted-literals.js';
import { alignLiteral } from '../literals/align-literals.js';
import { literalParts } from '../literals/literal-parts.js';
import { literalValue } from '../literals/literal-value.js';
import type { Literal } from '../literals/literal.js';
import type { PlannableTool } from '../plannable-tool.js';
import type { ProposedValue } from './fill-arguments.js';
import { isAllowed } from './fill-nested.js';

interface AlignOptions {
  readonly intent: string;
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
  readonly literals: readonly Literal[];
}

/** Nothing that stands in other words is certain. */
const MOST_LIKELY = 0.95;
const ONE_OF_SEVERAL = 0.5;
/** Less than what is used. */
const IN_PLACE = 0.4;
const ONLY_NUMBER = 0.6;
const MOST_LITERALS = 50;
const SHOWN_CHARACTERS = 80;

/**
 * Adds values for parameters of capabilities to what was found: the literal that stands in this request
 * where the example stood in a request the capability served. It replaces what is less likely, and a
 * literal that has its place this way goes nowhere else in the task.
 */
export function withAligned(
  proposed: readonly ProposedValue[],
  tasks: readonly Task[],
  options: AlignOptions,
): readonly ProposedValue[] {
  const aligned = tasks.flatMap((task) => alignTask(task, options));
  const better = aligned.filter(({ task, param, score }) => {
    return !proposed.some((one) => one.task === task && one.param === param && one.score >= score);
  });
  const left = proposed.filter(({ task, param, value, score }) => {
    return !better.some((one) => {
      const isTaken = one.value === value && one.score > score;
      return one.task === task && (one.param === param || isTaken);
    });
  });
  return withOnlyNumbers([...left, ...better], tasks, options);
}

/**
 * "The 5 cheapest hotels" says a number without its name. Where it is the only one that is left, and a
 * capability has one parameter for numbers left, it is meant for that one.
 */
function withOnlyNumbers(
  proposed: readonly ProposedValue[],
  tasks: readonly Task[],
  { tools, literals }: AlignOptions,
): readonly ProposedValue[] {
  const found = tasks.flatMap((task): readonly ProposedValue[] => {
    const { served, inputSchema = {} } = tools.get(task.tool) ?? {};
    if (!served) return [];
    const own = proposed.filter((one) => one.task === task.id && one.score >= SURE);
    const numbers = literals.filter(({ kind, value, text }) => {
      return kind === 'number' && /\d/.test(text) && !own.some((one) => one.value === value);
    });
    const open = inputParameters(inputSchema).filter(({ path, types }) => {
      const isNumeric = types.includes('integer') || types.includes('number');
      return isNumeric && !Object.hasOwn(task.args, path) && !own.some((one) => one.param === path);
    });
    const [literal, parameter] = [numbers[0], open[0]];
    if (!literal || !parameter || numbers.length + open.length > 2) return [];
    const { path: param } = parameter;
    const value = literalValue(literal, parameter);
    if (value === undefined || !isAllowed(inputSchema, param, value)) return [];
    const because = `\`${literal.text}\` is the only number of the request`;
    return [{ task: task.id, param, value, source: 'literal', score: ONLY_NUMBER, because }];
  });
  const isReplaced = (one: ProposedValue) =>
    found.some(({ task, param }) => task === one.task && param === one.param);
  return [...proposed.filter((one) => !isReplaced(one)), ...found];
}

function alignTask(
  task: Task,
  { tools, literals, intent }: AlignOptions,
): readonly ProposedValue[] {
  const tool = tools.get(task.tool);
  const { served = [], inputSchema = {} } = tool ?? {};
  if (served.length === 0) return [];
  const requests = literalsOf(served);
  return inputParameters(inputSchema).flatMap((parameter): readonly ProposedValue[] => {
    const { path: param } = parameter;
    if (Object.hasOwn(task.args, param) || mentionsSecret(param)) return [];
    const examples = examplesOf(inputSchema, param);
    const found = requests.flatMap(({ request, past }) =>
      examples.flatMap((example) => {
        const one = alignExample(example, { parameter, past, literals });
        return one ? [{ ...one, request }] : [];
      }),
    );
    const best = found
      .toSorted((a, b) => b.score - a.score)
      .find(({ value }) => isAllowed(inputSchema, param, value));
    if (!best) return wordInPlace(intent, { parameter, examples, requests, task });
    const { value, score, stood, literal, request } = best;
    const because = `\`${shown(literal.text)}\` stands where \`${shown(stood.text)}\` stood in "${shown(request)}"`;
    return [{ task: task.id, param, value, source: 'literal', score, because }];
  });
}

interface Placed {
  readonly task: Task;
  readonly parameter: ToolParameter;
  readonly examples: readonly JsonValue[];
  readonly requests: readonly ServedRequest[];
}

/**
 * A word that stands behind the same small word as the example did and that no request had before:
 * `vienna` for `Lisbon`. It is too uncertain to be used, and worth to be shown.
 */
function wordInPlace(
  intent: string,
  { task, parameter, examples, requests }: Placed,
): readonly ProposedValue[] {
  if (!parameter.types.includes('string')) return [];
  const known = new Set(requests.flatMap(({ request }) => plainWords(request)));
  const words = plainWords(intent);
  const leads = requests.flatMap(({ past }) =>
    past.filter(({ kind, value }) => kind === 'name' && examples.includes(value)),
  );
  for (const lead of new Set(leads.map(({ before }) => before[0]))) {
    const at = words.findIndex((word, place) => words[place - 1] === lead && !known.has(word));
    const value = words[at];
    if (lead === undefined || value === undefined) continue;
    const because = `it stands behind "${lead}", as the example did`;
    const found = { task: task.id, param: parameter.path, value, score: IN_PLACE, because };
    return [{ ...found, source: 'literal' }];
  }
  return [];
}

interface ServedRequest {
  readonly request: string;
  readonly past: readonly Literal[];
}

/** A plan is filled several times over, and the requests stay the same. */
const known = new WeakMap<readonly string[], readonly ServedRequest[]>();

function literalsOf(served: readonly string[]): readonly ServedRequest[] {
  const before = known.get(served);
  if (before) return before;
  const found = served.map((request) => {
    return { request, past: wantedLiterals(request, { most: MOST_LITERALS }) };
  });
  known.set(served, found);
  return found;
}

interface Alignable {
  readonly parameter: ToolParameter;
  /** Literals of a request that was served. */
  readonly past: readonly Literal[];
  readonly literals: readonly Literal[];
}

/** A list stands where its first element does, and goes as far as the request lists. */
function alignExample(example: JsonValue, { parameter, past, literals }: Alignable) {
  const isList = Array.isArray(example);
  const first = isList ? (example[0] as JsonValue | undefined) : example;
  const stood = past.find(({ value, text }) => value === first || text === first);
  if (!stood) return undefined;
  const parts = literalParts(literals, []);
  const listed = new Map(
    parts.flatMap(({ literal, also }) => (also ? [[literal, also] as const] : [])),
  );
  const isBehind = (one: Literal) => [...listed.values()].some((also) => also.includes(one));
  const heads = isList ? literals.filter((one) => !isBehind(one)) : literals;
  const found = alignLiteral(stood, isList ? [stood] : past, heads);
  const value =
    found && literalValue(found.literal, parameter, isList ? listed.get(found.literal) : []);
  if (!found || value === undefined) return undefined;
  // Where the request lists several, none of them is the one that is wanted.
  const isOneOfSeveral = !isList && (listed.has(found.literal) || isBehind(found.literal));
  const score = Math.min(MOST_LIKELY, found.score) * (isOneOfSeveral ? ONE_OF_SEVERAL : 1);
  return { value, stood, literal: found.literal, score };
}

function examplesOf(schema: PlannableTool['inputSchema'], param: string): readonly JsonValue[] {
  const field = propertiesOf(schema)[param];
  const examples = isJsonObject(field) ? field['examples'] : undefined;
  return Array.isArray(examples) ? (examples as readonly JsonValue[]) : [];
}

function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
